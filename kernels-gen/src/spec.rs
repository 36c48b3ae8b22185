//! A reduction as it was asked for, and the kernel text that it alone decides: everything that is
//! not in a stage file is written here.

use std::fmt::Write as _;

use crate::dtype::Dtype;
use crate::expr::{Expr, Function, Type};
use crate::op::Op;
use crate::render::cuda;
use crate::tree::Shape;

/// A validated reduction.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The user's function.
    pub name: String,
    /// Its operator, as the attribute names it.
    pub operator_name: String,
    /// A built-in operator; the text of any other comes from its own attribute.
    pub built_in: Option<&'static Op>,
    /// The function's parameters, in order; the names are those of `map`'s.
    pub parameters: Vec<Parameter>,
    /// The function itself.
    pub map: Function,
}

/// A parameter of the user's function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in the kernel text.
    pub name: String,
    /// Its type.
    pub dtype: &'static Dtype,
    /// Where its value comes from.
    pub role: Role,
}

/// Where a parameter's value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An element of an input.
    Input,
    /// The element's position in the inputs.
    Index,
    /// A value given at launch, the same for all elements.
    Uniform,
}

/// The texts of a kernel that a [`Spec`] decides; see [`crate::kernel::Fragments`].
#[derive(Clone, Default, Debug)]
pub struct Texts {
    /// The comment that opens the text.
    pub title: String,
    /// The type `Acc`.
    pub accumulator: String,
    /// `combine` and `identity` of a built-in operator.
    pub operator: Option<String>,
    /// `warp_fold`, where an instruction folds a warp.
    pub warp_fold: String,
    /// `neutral`, and `atomic_fold` where the hardware has one.
    pub atomic_fold: String,
    /// The user's function.
    pub map: String,
    /// `Elements`, `Outputs` and `write_result`.
    pub source: String,
    /// `Staged`, where there are inputs.
    pub staged: String,
    /// What the texts need, a built-in operator's included.
    pub needs: u32,
}

impl Spec {
    /// What a thread keeps: the function's type, or what a built-in operator folds that in.
    pub fn accumulator(&self) -> Type {
        match self.built_in {
            Some(op) => op.accumulator(&self.map.result),
            None => self.map.result.clone(),
        }
    }

    /// What the reduction yields: the function's type, unless a built-in operator makes another of it.
    pub fn result(&self) -> Type {
        match self.built_in {
            Some(op) => op.result(&self.map.result),
            None => self.map.result.clone(),
        }
    }

    /// The parameters that are inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &Parameter> {
        self.with_role(Role::Input)
    }

    /// The parameters that are given at launch.
    pub fn uniforms(&self) -> impl Iterator<Item = &Parameter> {
        self.with_role(Role::Uniform)
    }

    fn with_role(&self, role: Role) -> impl Iterator<Item = &Parameter> {
        let parameters = self.parameters.iter();
        parameters.filter(move |parameter| parameter.role == role)
    }

    /// What the tree depends on.
    pub fn shape(&self) -> Shape {
        let widths: Vec<u32> = self.inputs().map(|input| input.dtype.bytes).collect();
        Shape::new(&widths, self.accumulator().bytes())
    }

    /// The operator's function and identity, if it is built in; it takes what the function returns.
    pub fn built_in_operator(&self) -> Option<(Function, Option<Expr>)> {
        let dtype = self.accumulator().scalar()?;
        let op = self.built_in?;
        Some((op.function(dtype), op.identity(dtype)))
    }

    /// The texts that this reduction decides.
    pub fn texts(&self) -> Texts {
        let operator = self.built_in_operator();
        let operator_needs = operator
            .as_ref()
            .map_or(0, |(function, _)| cuda::needs_of(function));
        Texts {
            title: self.title(),
            accumulator: self.accumulator_text(),
            operator: operator
                .map(|(function, identity)| operator_text(&function, identity.as_ref())),
            warp_fold: self.warp_fold_text(),
            atomic_fold: self.atomic_fold_text(),
            map: cuda::function("map", &self.map),
            source: self.elements_text() + &self.outputs_text(),
            staged: self.staged_text(),
            needs: cuda::needs_of(&self.map) | operator_needs | self.atomic_needs(),
        }
    }

    fn title(&self) -> String {
        let inputs: Vec<String> = self
            .parameters
            .iter()
            .map(|parameter| {
                let role = match parameter.role {
                    Role::Input => "",
                    Role::Index => "#[index] ",
                    Role::Uniform => "#[uniform] ",
                };
                format!("{role}{}: {}", parameter.name, parameter.dtype.name)
            })
            .collect();
        let (name, operator) = (&self.name, &self.operator_name);
        format!(
            "// {name}: folds with {operator} what the function makes of each element.\n// fn {name}({}) -> {}\n",
            inputs.join(", "),
            self.map.result
        )
    }

    /// ```text
    /// typedef f32 Acc;
    /// const u32 PARTIAL_VEC = 4;
    /// ```
    fn accumulator_text(&self) -> String {
        let shape = self.shape();
        format!(
            "\n#line 1 \"accumulator.cuh\"\n// What a thread keeps, and how many partials it loads at once.\ntypedef {} Acc;\nconst u32 PARTIAL_VEC = {};\n",
            cuda::type_name(&self.accumulator()),
            shape.partial_vector
        )
    }

    /// ```text
    /// struct Elements {
    ///     const f32* x;
    ///
    ///     static const u32 VEC = 4;
    ///     static const u32 IN_FLIGHT = ROWS;  // rows loaded at once
    ///     struct Step {
    ///         Vector<f32, VEC> x;
    ///     };
    ///     DEVICE_MEMBER bool aligned() const { return is_aligned(x, sizeof(f32) * VEC); }
    ///     DEVICE_MEMBER Step load(u64 position) const { return {load_vector<VEC>(x + position)}; }
    ///     ..
    /// ```
    fn elements_text(&self) -> String {
        let each =
            |line: &dyn Fn(&Parameter) -> String| -> String { self.inputs().map(line).collect() };
        let list = |item: &dyn Fn(&Parameter) -> String, between: &str| -> String {
            self.inputs().map(item).collect::<Vec<_>>().join(between)
        };
        let is_range = self.inputs().next().is_none();
        let pointers = match is_range {
            true => "    u64 start;\n".to_owned(),
            false => each(&|p| format!("    const {}* {};\n", p.dtype.name, p.name)),
        };
        let uniforms: String = self
            .uniforms()
            .map(|p| format!("    {} {};\n", p.dtype.name, p.name))
            .collect();
        let vectors = each(&|p| format!("        Vector<{}, VEC> {};\n", p.dtype.name, p.name));
        let aligned = list(
            &|p| format!("is_aligned({0}, sizeof({1}) * VEC)", p.name, p.dtype.name),
            " && ",
        );
        let aligned = if aligned.is_empty() { "true" } else { &aligned };
        let loads = list(
            &|p| format!("load_vector<VEC>({} + position)", p.name),
            ", ",
        );
        let singles = each(&|p| {
            format!(
                "            step.{0}.at[lane] = load_vector<1>({0} + position + lane).at[0];\n",
                p.name
            )
        });
        let below = if singles.is_empty() {
            String::new()
        } else {
            format!(
                "#pragma unroll\n        for (u32 lane = 0; lane < VEC; ++lane) {{\n            if (i32(lane) >= left) break;\n{singles}        }}\n"
            )
        };
        let arguments: Vec<String> = self
            .parameters
            .iter()
            .map(|p| match p.role {
                Role::Input => format!("step.{}.at[lane]", p.name),
                Role::Index if is_range => "start + position".to_owned(),
                Role::Index => "position".to_owned(),
                Role::Uniform => p.name.clone(),
            })
            .collect();
        let mapped = convert(
            &format!("map({})", arguments.join(", ")),
            &self.map.result,
            &self.accumulator(),
        );
        let mut text = String::from("\n#line 1 \"elements.cuh\"\n");
        let _ = write!(
            text,
            "// The inputs as a source of accumulators.\n\
             struct Elements {{\n{pointers}{uniforms}\n    static const u32 VEC = {vec};\n    static const u32 IN_FLIGHT = ROWS;  // rows loaded at once\n    struct Step {{\n{vectors}    }};\n\n    \
             DEVICE_MEMBER bool aligned() const {{ return {aligned}; }}\n    \
             DEVICE_MEMBER Step load(u64 position) const {{ return {{{loads}}}; }}\n    \
             DEVICE_MEMBER Step load_some(u64 position, i32 left) const {{\n        Step step;\n{below}        return step;\n    }}\n    \
             DEVICE_MEMBER Acc value(const Step& step, u32 lane, u64 position) const {{ return {mapped}; }}\n}};\n",
            vec = self.shape().vector,
        );
        text
    }

    /// ```text
    /// struct Outputs {
    ///     f32* _0;
    /// };
    /// DEVICE void write_result(const Outputs& outputs, const Acc& fold) {
    ///     *outputs._0 = rust::canonical(fold);
    /// }
    /// ```
    fn outputs_text(&self) -> String {
        let (result, accumulator) = (self.result(), self.accumulator());
        let fields = match (&result, &accumulator) {
            (Type::Tuple(results), Type::Tuple(folds)) => (results.iter().zip(folds).enumerate())
                .map(|(k, (result, fold))| (result, convert(&format!("fold._{k}"), fold, result)))
                .collect(),
            (result, fold) => vec![(result, convert("fold", fold, result))],
        };
        let mut members = String::new();
        let mut writes = String::new();
        for (k, (ty, value)) in fields.iter().enumerate() {
            let is_float = ty.scalar().is_some_and(Dtype::is_float);
            let value = if is_float {
                format!("rust::canonical({value})")
            } else {
                value.clone()
            };
            let _ = writeln!(members, "    {}* _{k};", cuda::type_name(ty));
            let _ = writeln!(writes, "    *outputs._{k} = {value};");
        }
        format!(
            "\n// Where the result goes.\nstruct Outputs {{\n{members}}};\n\n\
             DEVICE void write_result(const Outputs& outputs, const Acc& fold) {{\n{writes}}}\n"
        )
    }
}

/// `value` of type `from` as C of type `to`.
fn convert(value: &str, from: &Type, to: &Type) -> String {
    if from == to {
        return value.to_owned();
    }
    let is_half = |ty: &Type| ty.scalar().is_some_and(|dtype| dtype.half);
    let name = cuda::type_name(to);
    if is_half(from) || is_half(to) {
        format!("rust::to_{name}({value})")
    } else {
        format!("{name}({value})")
    }
}

/// The text of an operator: `combine`, and `identity` if it has one.
pub fn operator_text(function: &Function, identity: Option<&Expr>) -> String {
    let combine = cuda::function("combine", function);
    match identity {
        Some(value) => {
            let ty = cuda::type_name(&value.ty);
            let value = cuda::constant(value);
            format!(
                "#define HAS_IDENTITY 1\n{combine}DEVICE {ty} identity() {{\n    return {value};\n}}\n"
            )
        }
        None => format!("#define HAS_IDENTITY 0\n{combine}"),
    }
}
