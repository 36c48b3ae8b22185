//! The orders in memory that a kernel's own PTX asks for: what the emulator gives its functions, so that
//! a change of that PTX changes what is emulated.

use std::ops::Range;

use kernels_gen::stage::STAGES;

/// A function of `intrinsics*.cuh` whose instruction orders memory.
#[derive(Debug)]
pub struct Ordered {
    /// Its name.
    pub function: &'static str,
    /// How its instruction starts.
    instruction: &'static str,
    /// The order where none is spelled (PTX, at each instruction).
    implied: &'static str,
    /// What an order is spelled before, where none is.
    before: &'static str,
}

const fn ordered(
    function: &'static str,
    instruction: &'static str,
    implied: &'static str,
    before: &'static str,
) -> Ordered {
    Ordered {
        function,
        instruction,
        implied,
        before,
    }
}

/// Every function that orders memory by a word of its PTX. The others order nothing, or always the same.
pub const ORDERED: &[Ordered] = &[
    ordered("arrive", "atom.inc", ".relaxed", ".gpu"),
    ordered(
        "cluster_arrive_relaxed",
        "barrier.cluster.arrive",
        ".release",
        ";",
    ),
    ordered("cluster_arrive", "barrier.cluster.arrive", ".release", ";"),
    ordered("cluster_wait", "barrier.cluster.wait", ".acquire", ";"),
    ordered(
        "barrier_init_fence",
        "fence.mbarrier_init",
        ".relaxed",
        ".cluster",
    ),
    ordered("barrier_expect", "mbarrier.arrive", ".release", ".shared"),
    ordered("barrier_wait", "mbarrier.try_wait", ".acquire", ".shared"),
];

/// The orders, and those that are weaker.
const WEAKER: &[(&str, &[&str])] = &[
    (".acq_rel", &[".acquire", ".release", ".relaxed"]),
    (".acquire", &[".relaxed"]),
    (".release", &[".relaxed"]),
    (".relaxed", &[]),
];

/// The instruction of a function in a text: where its words are, all of them.
pub struct Instruction<'a> {
    ordered: &'static Ordered,
    text: &'a str,
    pub range: Range<usize>,
}

impl Ordered {
    /// Its instruction, if the text has it.
    pub fn instruction<'a>(&'static self, text: &'a str) -> Option<Instruction<'a>> {
        let head = format!(" {}(", self.function);
        let is_definition = |&(at, _): &(usize, &str)| {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            text[line..].starts_with("DEVICE ")
        };
        let (head, _) = text.match_indices(&head).find(is_definition)?;
        let end = head + text[head..].find("\n}\n")?;
        let start = head + text[head..end].find(self.instruction)?;
        let length = text[start..end].find(|c: char| c.is_whitespace() || c == '"')?;
        Some(Instruction {
            ordered: self,
            text,
            range: start..start + length,
        })
    }

    /// Its instruction in the stage files.
    fn shipped(&'static self) -> Instruction<'static> {
        let found = STAGES.iter().find_map(|stage| self.instruction(stage.text));
        let Ordered {
            function,
            instruction,
            ..
        } = self;
        found.unwrap_or_else(|| panic!("no stage has {function} with {instruction}"))
    }

    /// The constants of the orders that are weaker than its own.
    pub fn weaker_constants(&'static self) -> impl Iterator<Item = &'static str> {
        weaker(self.shipped().order())
            .iter()
            .map(|order| constant(order))
    }
}

impl Instruction<'_> {
    /// The order that it spells, and where.
    fn spelled(&self) -> Option<(&'static str, Range<usize>)> {
        WEAKER.iter().find_map(|&(order, _)| {
            let word = &self.text[self.range.clone()];
            let start = self.range.start + word.find(order)?;
            Some((order, start..start + order.len()))
        })
    }

    /// The order that it has for those who meet by it: threads of other blocks, or of this one at an mbarrier.
    fn order(&self) -> &'static str {
        let (order, _) = self.spelled().unwrap_or((self.ordered.implied, 0..0));
        let is_of_block = self.text[self.range.clone()].contains(".cta");
        // A scope that is too narrow for them orders nothing.
        if self.ordered.before == ".gpu" && is_of_block {
            return ".relaxed";
        }
        order
    }

    /// Each weaker order: where it goes in the text, and how it is spelled.
    pub fn weakenings(&self) -> Vec<(Range<usize>, String)> {
        let word = &self.text[self.range.clone()];
        let (order, place) = self.spelled().unwrap_or_else(|| {
            let before = word.find(self.ordered.before);
            let at = self.range.start + before.expect("the order has its place");
            (self.ordered.implied, at..at)
        });
        // Of an mbarrier, one that is not implied names its scope.
        let is_scoped = place.is_empty() && self.ordered.before == ".shared";
        let scope = if is_scoped { ".cta" } else { "" };
        let mut found: Vec<_> = weaker(order)
            .iter()
            .map(|to| (place.clone(), format!("{to}{scope}")))
            .collect();
        if let Some(scope) = word.find(".gpu") {
            let start = self.range.start + scope;
            found.push((start..start + ".gpu".len(), ".cta".to_owned()));
        }
        found
    }
}

fn weaker(order: &str) -> &'static [&'static str] {
    let row = WEAKER.iter().find(|(from, _)| *from == order);
    row.expect("every order has a row").1
}

/// The order as `runner.h` has it.
fn constant(order: &str) -> &'static str {
    match order {
        ".acq_rel" => "emulator::Order::AcqRel",
        ".acquire" => "emulator::Order::Acquire",
        ".release" => "emulator::Order::Release",
        ".relaxed" => "emulator::Order::Relaxed",
        other => panic!("{other} is no order"),
    }
}

/// What tells the emulator the orders of this text; where it lacks a function, those of the stages.
pub fn options(text: &str) -> Vec<String> {
    let options = ORDERED.iter().map(|ordered| {
        let instruction = ordered.instruction(text);
        let instruction = instruction.unwrap_or_else(|| ordered.shipped());
        let name = ordered.function.to_uppercase();
        format!(
            "-DEMULATOR_ORDER_OF_{name}={}",
            constant(instruction.order())
        )
    });
    options.collect()
}
