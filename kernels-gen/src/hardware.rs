//! What the hardware offers a reduction: its features, and the texts that name its instructions.

use crate::dtype::{Dtype, Kind};
use crate::op::{Fold, Op, Takes};
use crate::render::cuda;
use crate::spec::{Parameter, Spec};
use crate::stage::{features, needs};

impl Spec {
    /// The operator and accumulator, where both are rows.
    fn rows(&self) -> Option<(&'static Op, &'static Dtype)> {
        Some((self.built_in?, self.accumulator().scalar()?))
    }

    /// The [`features`] of this reduction.
    pub fn features(&self) -> u32 {
        let mut found = 0;
        if self.inputs().next().is_some() {
            found |= features::INPUTS;
        }
        let Some((op, dtype)) = self.rows() else {
            return found;
        };
        found |= warp_feature(op, dtype);
        if op.takes == Takes::Bools && matches!(op.fold, Fold::Into(_)) {
            found |= features::COUNT;
        }
        if matches!(dtype.bytes, 4 | 8) {
            found |= features::ATOMIC;
        }
        if op.is_exact_on_floats || !dtype.is_float() {
            found |= features::EXACT;
        }
        found
    }

    /// `warp_fold`, where an instruction folds a warp.
    pub fn warp_fold_text(&self) -> String {
        match self.rows() {
            Some((op, dtype)) if warp_feature(op, dtype) != 0 => format!(
                "\n#line 1 \"warp_fold.cuh\"\n// The instruction that folds a warp.\nDEVICE Acc warp_fold(u32 mask, Acc value) {{\n    return {}(mask, value);\n}}\n",
                op.warp.unwrap_or_default()
            ),
            _ => String::new(),
        }
    }

    /// `neutral`, and `atomic_fold` where the hardware has one.
    pub fn atomic_fold_text(&self) -> String {
        let Some((op, dtype)) = self.rows() else {
            return String::new();
        };
        let neutral = cuda::constant(&op.neutral_on(dtype));
        let mut text = format!(
            "\n#line 1 \"atomic_fold.cuh\"\n// What changes no other value.\nDEVICE Acc neutral() {{\n    return {neutral};\n}}\n"
        );
        if let Some(name) = atomic_instruction(op, dtype) {
            text += &format!(
                "DEVICE void atomic_fold(Acc* all, Acc value) {{\n    {name}(all, value);\n}}\n"
            );
        }
        text
    }

    /// The stages that [`Spec::atomic_fold_text`] needs, as bits of [`needs`].
    pub fn atomic_needs(&self) -> u32 {
        match self.rows() {
            Some((op, dtype)) if atomic_instruction(op, dtype).is_none() => needs::EXCHANGE,
            _ => 0,
        }
    }

    /// ```text
    /// struct Staged {
    ///     const Elements& elements;
    ///     u64 start;
    ///     const u8* bytes;
    ///
    ///     static const u32 VEC = Elements::VEC;
    ///     ..
    ///     static DEVICE_MEMBER void copy(const Elements& elements, u64 start, u8* to, u64* arrived) {
    ///         bulk_load(to, elements.x + start, COUNT * sizeof(f32), arrived);
    ///     }
    ///     DEVICE_MEMBER Step load(u64 position) const {
    ///         const u32 place = u32(position - start);
    ///         return {load_staged<VEC>(reinterpret_cast<const f32*>(bytes) + place)};
    ///     }
    ///     ..
    /// ```
    pub fn staged_text(&self) -> String {
        let inputs: Vec<&Parameter> = self.inputs().collect();
        if inputs.is_empty() {
            return String::new();
        }
        let list = |item: &dyn Fn(usize, &Parameter) -> String, between: &str| -> String {
            let items = inputs.iter().enumerate().map(|(k, input)| item(k, input));
            items.collect::<Vec<_>>().join(between)
        };
        // The inputs lie one after the other, each for the whole tile.
        let offset = |k: usize| -> String {
            let before = inputs[..k]
                .iter()
                .map(|input| format!("sizeof({})", input.dtype.name));
            match before.collect::<Vec<_>>().join(" + ") {
                sizes if sizes.is_empty() => String::new(),
                sizes => format!(" + COUNT * ({sizes})"),
            }
        };
        let bytes = list(&|_, p| format!("sizeof({})", p.dtype.name), " + ");
        let takes = list(
            &|_, p| {
                format!(
                    "is_aligned(elements.{}, 16) && COUNT * sizeof({}) % 16 == 0",
                    p.name, p.dtype.name
                )
            },
            " &&\n               ",
        );
        let copies = list(
            &|k, p| {
                format!(
                    "        bulk_load(to{}, elements.{} + start, COUNT * sizeof({}), arrived);\n",
                    offset(k),
                    p.name,
                    p.dtype.name
                )
            },
            "",
        );
        let loads = list(
            &|k, p| {
                format!(
                    "load_staged<VEC>(reinterpret_cast<const {}*>(bytes{}) + place)",
                    p.dtype.name,
                    offset(k)
                )
            },
            ",\n                ",
        );
        format!(
            "\n#line 1 \"staged.cuh\"\n\
             // The inputs of one whole tile, copied to shared memory, as a source of accumulators.\n\
             struct Staged {{\n    const Elements& elements;\n    u64 start;        // the tile's first position\n    const u8* bytes;  // one input after the other\n\n    \
             static const u32 VEC = Elements::VEC;\n    static const u32 IN_FLIGHT = Elements::IN_FLIGHT;\n    \
             static const u32 COUNT = THREADS * ROWS * VEC;\n    static const u32 BYTES = {bytes};  // of one position\n    \
             typedef Elements::Step Step;\n\n    \
             // Whether bulk copies can take any whole tile.\n    \
             static DEVICE_MEMBER bool takes(const Elements& elements) {{\n        return {takes};\n    }}\n    \
             static DEVICE_MEMBER void copy(const Elements& elements, u64 start, u8* to, u64* arrived) {{\n{copies}    }}\n\n    \
             DEVICE_MEMBER Step load(u64 position) const {{\n        const u32 place = u32(position - start);\n        return {{{loads}}};\n    }}\n    \
             DEVICE_MEMBER Step load_some(u64 position, i32) const {{ return load(position); }}\n    \
             DEVICE_MEMBER Acc value(const Step& step, u32 v, u64 position) const {{ return elements.value(step, v, position); }}\n}};\n"
        )
    }
}

fn warp_feature(op: &Op, dtype: &Dtype) -> u32 {
    match (op.warp, dtype.kind) {
        (Some(_), Kind::Bool) => features::VOTE,
        (Some(_), Kind::Signed | Kind::Unsigned) if dtype.bytes == 4 => features::REDUX,
        _ => 0,
    }
}

/// The atomic instruction's function in `cuda/intrinsics_atomic.cuh`, if there is one for the type. That
/// of f32 takes subnormals for zeros in global memory (PTX, `atom.add`), so it is none.
fn atomic_instruction(op: &Op, dtype: &Dtype) -> Option<&'static str> {
    let adds_f64 = |name: &str| dtype.bytes == 8 && name == "atomic_add";
    op.atomic.filter(|name| !dtype.is_float() || adds_f64(name))
}
