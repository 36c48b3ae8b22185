//! The host engine against oracles of a few lines, and the faults that users of reduction libraries
//! met, as probes with their right values. Each probe also runs on a GPU where there is one.

use std::sync::OnceLock;

#[macro_use]
mod common;
#[path = "emulator/reference.rs"]
mod reference;

use common::known::{self, Known};
use common::{Sample, boundary_sizes, forms, ordinary, spiced, two_level_sizes};
use reduce_runtime::prelude::*;
use reduce_runtime::private::strategy::{self, Strategy};
use reduce_runtime::private::{Forced, Tile};
use reduce_runtime::{Bound, Element};

/// The devices at hand: the host, and a GPU if there is one. They are opened once: a GPU keeps its kernels.
fn devices() -> &'static [Device] {
    static DEVICES: OnceLock<Vec<Device>> = OnceLock::new();
    DEVICES.get_or_init(|| {
        let gpu = Device::gpu(0).ok();
        std::iter::once(Device::host()).chain(gpu).collect()
    })
}

/// The value on every device, which must be one value.
fn everywhere<O: PartialEq + std::fmt::Debug>(reduce: impl Fn(&Device) -> Result<O>) -> O {
    let mut values: Vec<O> = Vec::new();
    for device in devices() {
        let value = reduce(device).unwrap_or_else(|error| panic!("on {device}: {error}"));
        if let Some(first) = values.first() {
            assert_eq!(format!("{first:?}"), format!("{value:?}"), "on {device}");
        }
        values.push(value);
    }
    values.swap_remove(0)
}

/// Sizes at which the tree for f32 changes, its two levels included.
fn sizes() -> Vec<u64> {
    let mut sizes = boundary_sizes(4096, 4096);
    sizes.extend([(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (1 << 20) + 4097]);
    sizes
}

macro_rules! against_oracle {
    ($name:ident, $reduction:ident, $ty:ident, |$data:ident| $oracle:expr) => {
        #[test]
        fn $name() {
            for n in sizes() {
                for $data in [ordinary::<$ty>(n as usize, n), spiced::<$ty>(n as usize, n)] {
                    let wanted: $ty = $oracle;
                    let found =
                        common::$reduction::reduce(&Device::host(), &$data).expect("a value");
                    assert_eq!(
                        found.bits(),
                        wanted.bits(),
                        "n = {n}: {found:?}, not {wanted:?}"
                    );
                }
            }
        }
    };
}

against_oracle!(sum_of_i32_wraps, add_i32, i32, |data| data
    .iter()
    .fold(0, |a, b| a.wrapping_add(*b)));
against_oracle!(sum_of_u32_wraps, add_u32, u32, |data| data
    .iter()
    .fold(0, |a, b| a.wrapping_add(*b)));
against_oracle!(sum_of_i64_wraps, add_i64, i64, |data| data
    .iter()
    .fold(0, |a, b| a.wrapping_add(*b)));
against_oracle!(sum_of_u64_wraps, add_u64, u64, |data| data
    .iter()
    .fold(0, |a, b| a.wrapping_add(*b)));
against_oracle!(product_of_i32_wraps, mul_i32, i32, |data| data
    .iter()
    .fold(1, |a, b| a.wrapping_mul(*b)));
against_oracle!(product_of_u64_wraps, mul_u64, u64, |data| data
    .iter()
    .fold(1, |a, b| a.wrapping_mul(*b)));
against_oracle!(least_i32, min_i32, i32, |data| *data
    .iter()
    .min()
    .expect("not empty"));
against_oracle!(least_u64, min_u64, u64, |data| *data
    .iter()
    .min()
    .expect("not empty"));
against_oracle!(largest_i64, max_i64, i64, |data| *data
    .iter()
    .max()
    .expect("not empty"));
against_oracle!(largest_u32, max_u32, u32, |data| *data
    .iter()
    .max()
    .expect("not empty"));

against_oracle!(common_bits_i32, bitand_i32, i32, |data| data
    .iter()
    .fold(!0, |a, b| a & b));
against_oracle!(common_bits_u64, bitand_u64, u64, |data| data
    .iter()
    .fold(!0, |a, b| a & b));
against_oracle!(all_bits_u32, bitor_u32, u32, |data| data
    .iter()
    .fold(0, |a, b| a | b));
against_oracle!(all_bits_i64, bitor_i64, i64, |data| data
    .iter()
    .fold(0, |a, b| a | b));
against_oracle!(odd_bits_i64, bitxor_i64, i64, |data| data
    .iter()
    .fold(0, |a, b| a ^ b));
against_oracle!(odd_bits_u32, bitxor_u32, u32, |data| data
    .iter()
    .fold(0, |a, b| a ^ b));

#[test]
fn conditions_are_folded_and_counted() {
    for n in (1..=300).chain(sizes()) {
        let mixed = ordinary::<bool>(n as usize, n);
        let mut nearly_all = vec![true; n as usize];
        nearly_all[n as usize / 3] = false;
        let hardly_any: Vec<bool> = nearly_all.iter().map(|x| !x).collect();
        for data in [
            mixed,
            nearly_all,
            hardly_any,
            vec![true; n as usize],
            vec![false; n as usize],
        ] {
            let all = data.iter().all(|x| *x);
            let any = data.iter().any(|x| *x);
            let count = data.iter().filter(|x| **x).count() as u64;
            let first = data.iter().position(|x| *x).unwrap_or(0) as u64;
            assert_eq!(
                everywhere(|device| common::all_bool::reduce(device, &data)),
                all,
                "n = {n}"
            );
            assert_eq!(
                everywhere(|device| common::any_bool::reduce(device, &data)),
                any,
                "n = {n}"
            );
            assert_eq!(
                everywhere(|device| common::count_bool::reduce(device, &data)),
                count,
                "n = {n}"
            );
            assert_eq!(
                everywhere(|device| forms::first_hit::reduce(device, &data)),
                (any, first),
                "n = {n}"
            );
            assert_eq!(
                everywhere(|device| forms::extremes::reduce(device, &data)),
                (all, any),
                "n = {n}"
            );
        }
    }
}

#[test]
fn comparisons_are_counted() {
    for n in sizes() {
        let data = spiced::<f32>(n as usize, n);
        let wanted = data.iter().filter(|x| **x > 1.0).count() as u64;
        assert_eq!(
            everywhere(|device| forms::over::reduce(device, &data)),
            wanted,
            "n = {n}"
        );
    }
    assert!(forms::over(2.0), "the function is left as it was");
}

#[test]
fn conditions_are_inputs_uniforms_and_outputs() {
    let (x, keep) = ([1.0, 2.0, 4.0, 8.0], [true, false, false, true]);
    let masked =
        |inverted| everywhere(|device| forms::masked::with(inverted).reduce(device, (&x, &keep)));
    assert_eq!((masked(false), masked(true)), (9.0, 6.0));
    let below = |limit, or_equal| {
        everywhere(|device| forms::below::with(limit, or_equal).reduce(device, &x))
    };
    assert!(below(8.5, false) && below(8.0, true) && !below(8.0, false) && !below(7.0, true));
    let (mut all, mut any) = ([true], [false]);
    forms::extremes::reduce_into(&Device::host(), &keep, (&mut all, &mut any))
        .expect("room for both");
    assert_eq!((all, any), ([false], [true]));
    let none = forms::extremes::reduce_into(&Device::host(), &[true], (&mut all, &mut any[..0]));
    let error = none
        .expect_err("there is no room for the second")
        .to_string();
    assert!(
        error.starts_with("the second output: room for one result was wanted"),
        "{error}"
    );
    assert_eq!(all, [false], "both are written, or none");
}

/// The least by IEEE's `minimum`: any NaN gives NaN, -0.0 is below 0.0.
fn minimum(data: &[f32]) -> f32 {
    if data.iter().any(|x| x.is_nan()) {
        return f32::NAN;
    }
    data.iter()
        .copied()
        .min_by(f32::total_cmp)
        .expect("not empty")
}

against_oracle!(least_f32, min_f32, f32, |data| minimum(&data));
against_oracle!(largest_f32, max_f32, f32, |data| {
    let negated: Vec<f32> = data.iter().map(|x| -x).collect();
    let least = minimum(&negated);
    if least.is_nan() { least } else { -least }
});

#[test]
fn two_full_levels_of_4_bytes_against_oracles() {
    let sizes = two_level_sizes(common::add_i32::KERNEL.shape);
    assert_eq!(sizes[1], 1 << 24);
    let host = Device::host();
    let ints = ordinary::<i32>(sizes[2] as usize, 1);
    let floats = ordinary::<f32>(sizes[2] as usize, 2);
    for n in sizes {
        let (ints, floats) = (&ints[..n as usize], &floats[..n as usize]);
        let sum = ints.iter().fold(0, |a: i32, b| a.wrapping_add(*b));
        assert_eq!(
            common::add_i32::reduce(&host, ints).expect("a value"),
            sum,
            "n = {n}"
        );
        assert_eq!(
            common::min_f32::reduce(&host, floats).expect("a value"),
            minimum(floats),
            "n = {n}"
        );
    }
}

/// Tiles that are forced: narrow, not a power of two, wide, and the tree's own.
const TILES: &[Option<(u32, u32)>] = &[
    None,
    Some((32, 1)),
    Some((48, 1)),
    Some((7, 3)),
    Some((16, 2)),
    Some((512, 8)),
];

/// The host folds the tree: its bits are those of the tree's description, an element at a time.
fn against_the_tree<T: Sample, R>(data: &[T], tile: Option<Tile>)
where
    R: Reduction<Elements = (T,), Uniforms = ()>,
    R::Output: Sample,
{
    for strategy in [&strategy::SHUFFLE, &strategy::STRIDED] {
        against_the_tree_of::<T, R>(data, tile, strategy);
    }
}

fn against_the_tree_of<T: Sample, R>(data: &[T], tile: Option<Tile>, strategy: &'static Strategy)
where
    R: Reduction<Elements = (T,), Uniforms = ()>,
    R::Output: Sample,
{
    let n = data.len() as u64;
    let forced = Forced {
        tile,
        strategy: Some(strategy),
        ..Forced::default()
    };
    let meeting = strategy.meeting;
    let found = Bound::<R>::new(())
        .forced(forced)
        .reduce(&Device::host(), data);
    let mapped = data.iter().enumerate();
    let mapped: Vec<_> = mapped.map(|(i, &x)| R::map((x,), i as u64, &())).collect();
    let shape = R::KERNEL.shape;
    let tile = tile.unwrap_or_else(|| shape.tile(n));
    let wanted = reference::fold(&mapped, (tile, shape, meeting), &R::Operator::combine);
    assert_eq!(
        found.expect("a value").bits(),
        R::finish(wanted).canonical().bits(),
        "{} of n = {n}, {tile:?}",
        R::KERNEL.name
    );
}

/// At the sizes where tiles and levels begin and end, for every tile.
fn at_the_edges<T: Sample, R>()
where
    R: Reduction<Elements = (T,), Uniforms = ()>,
    R::Output: Sample,
{
    at_the_edges_of_tiles::<T, R>(TILES);
    let shape = R::KERNEL.shape;
    let data = ordinary::<T>(two_level_sizes(shape)[2] as usize, 62);
    for n in two_level_sizes(shape) {
        against_the_tree::<T, R>(&data[..n as usize], None);
    }
}

fn at_the_edges_of_tiles<T: Sample, R>(tiles: &[Option<(u32, u32)>])
where
    R: Reduction<Elements = (T,), Uniforms = ()>,
    R::Output: Sample,
{
    let shape = R::KERNEL.shape;
    for tile in tiles {
        let tile = tile.map(|(threads, rows)| Tile { threads, rows });
        let of = tile.unwrap_or_else(|| shape.tile(1));
        let sizes = boundary_sizes(of.len(shape.vector), of.len(shape.partial_vector));
        let data = ordinary::<T>(sizes[sizes.len() - 1] as usize, 61);
        for n in sizes {
            against_the_tree::<T, R>(&data[..n as usize], tile);
        }
    }
}

/// Every built-in operator on every type, in a tile of 32 and in its own.
#[test]
fn the_tree_of_every_operator_and_type() {
    macro_rules! check {
        ($name:ident, $op:ident, $ty:ident) => {
            at_the_edges_of_tiles::<$ty, common::$name>(&TILES[..2]);
        };
    }
    for_each_reduction!(check);
}

mod mixing {
    use reduce_runtime::prelude::*;

    // Neither is commutative or associative: another order of the operands shows.
    #[operator]
    pub fn mix_u32(a: u32, b: u32) -> u32 {
        a.rotate_left(5).wrapping_mul(0x9e37_79b1) ^ b
    }

    #[operator]
    pub fn mix_u64(a: u64, b: u64) -> u64 {
        a.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b
    }

    #[reduction(op = mix_u32)]
    pub fn mixed_u32(x: u32) -> u32 {
        x
    }

    #[reduction(op = mix_u64)]
    pub fn mixed_u64(x: u64) -> u64 {
        x
    }

    /// A sum of halves in f32, as `Add` on `f16` has it, of products that do not fit a half: rounded to
    /// one, sums of plain halves are too often the same in any order.
    #[reduction(op = Add)]
    pub fn tenths_of_f16(x: f16) -> f32 {
        x.to_f32() * 0.1
    }

    /// Elements of 2 bytes under an accumulator of 8.
    #[reduction(op = mix_u64)]
    pub fn mixed_f16(x: f16, #[index] i: u64) -> u64 {
        x.to_f64().to_bits() ^ i
    }
}

macro_rules! against_the_tree {
    ($($test:ident: $reduction:path, $ty:ident;)*) => {
        $(
            #[test]
            fn $test() {
                at_the_edges::<$ty, $reduction>();
            }
        )*
    };
}

against_the_tree! {
    the_tree_of_f32: common::add_f32, f32;
    the_tree_of_f64: common::add_f64, f64;
    the_tree_of_f16: mixing::tenths_of_f16, f16;
    the_tree_of_halves_rounded_every_step: forms::half_sum, f16;
    the_tree_of_a_mixing_operator_on_4_bytes: mixing::mixed_u32, u32;
    the_tree_of_a_mixing_operator_on_8_bytes: mixing::mixed_u64, u64;
    the_tree_of_a_mixing_operator_on_2_bytes: mixing::mixed_f16, f16;
}

#[test]
fn sums_of_small_whole_floats_are_exact() {
    for n in sizes() {
        let whole = |k: usize| ((k * 7919) % 13) as f64 - 6.0;
        let wanted: f64 = (0..n as usize).map(whole).sum();
        let f32s: Vec<f32> = (0..n as usize).map(|k| whole(k) as f32).collect();
        let f64s: Vec<f64> = (0..n as usize).map(whole).collect();
        assert_eq!(
            f64::from(everywhere(|device| common::add_f32::reduce(device, &f32s))),
            wanted,
            "n = {n}"
        );
        assert_eq!(
            everywhere(|device| common::add_f64::reduce(device, &f64s)),
            wanted,
            "n = {n}"
        );
        let squares: f64 = f64s.iter().map(|x| x * x).sum();
        assert_eq!(
            everywhere(|device| forms::dot::reduce(device, (&f32s, &f32s))),
            squares,
            "n = {n}"
        );
    }
}

#[test]
fn halves_accumulate_in_f32_and_round_once() {
    // 4096 ones reach 4096, which a sum in f16 would (2048 + 1 rounds to 2048) not.
    let ones = vec![f16::ONE; 4096];
    assert_eq!(
        everywhere(|device| common::add_f16::reduce(device, &ones)),
        f16::from_f32(4096.0)
    );
    let ones = vec![bf16::ONE; 1024];
    assert_eq!(
        everywhere(|device| common::add_bf16::reduce(device, &ones)),
        bf16::from_f32(1024.0)
    );
}

#[test]
fn a_users_operator_on_halves_rounds_every_step() {
    let ones = vec![f16::ONE; 4096];
    assert_eq!(
        everywhere(|device| forms::half_sum::reduce(device, &ones)),
        f16::from_f32(4096.0)
    );
    let small = vec![f16::from_f32(0.1); 3];
    let wanted = small[0] + small[1] + small[2];
    assert_eq!(
        everywhere(|device| forms::half_sum::reduce(device, &small)),
        wanted
    );
}

#[test]
fn nan_at_any_place_reaches_min_and_max() {
    for n in [3usize, 4099] {
        for place in [0, 1, n / 2, n - 1] {
            let mut data = vec![1.0f32; n];
            data[place] = f32::NAN;
            assert!(everywhere(|device| Ok(common::min_f32::reduce(
                device, &data
            )?
            .is_nan())));
            assert!(everywhere(|device| Ok(common::max_f32::reduce(
                device, &data
            )?
            .is_nan())));
        }
    }
    for n in [1, 1025] {
        let (data, narrow) = (vec![f64::NAN; n], vec![f32::NAN; n]);
        assert!(everywhere(|device| Ok(common::max_f64::reduce(
            device, &data
        )?
        .is_nan())));
        assert!(everywhere(|device| Ok(common::max_f32::reduce(
            device, &narrow
        )?
        .is_nan())));
    }
}

#[test]
fn nan_results_have_one_bit_pattern() {
    let odd = f32::from_bits(0xffc1_2345);
    let bits = everywhere(|device| Ok(common::add_f32::reduce(device, &[odd, 1.0])?.to_bits()));
    assert_eq!(bits, 0x7fc0_0000);
    let infinities = [f64::INFINITY, f64::NEG_INFINITY];
    let bits = everywhere(|device| Ok(common::add_f64::reduce(device, &infinities)?.to_bits()));
    assert_eq!(bits, 0x7ff8_0000_0000_0000);
    let bits = everywhere(|device| Ok(common::max_f16::reduce(device, &[f16::NAN])?.to_bits()));
    assert_eq!(bits, 0x7e00);
}

#[test]
fn negative_zero_is_below_zero() {
    let max =
        |data: [f32; 2]| everywhere(|device| Ok(common::max_f32::reduce(device, &data)?.to_bits()));
    let min =
        |data: [f32; 2]| everywhere(|device| Ok(common::min_f32::reduce(device, &data)?.to_bits()));
    assert_eq!(max([-0.0, -1.0]), (-0.0f32).to_bits());
    assert_eq!(max([-0.0, 0.0]), 0.0f32.to_bits());
    assert_eq!(max([0.0, -0.0]), 0.0f32.to_bits());
    assert_eq!(min([0.0, -0.0]), (-0.0f32).to_bits());
    let sum = everywhere(|device| Ok(common::add_f32::reduce(device, &[-0.0f32; 5])?.to_bits()));
    assert_eq!(
        sum,
        (-0.0f32).to_bits(),
        "all -0.0 sum to -0.0: no zero is padded in"
    );
}

#[test]
fn infinite_data_gives_the_infinity() {
    for n in [2, 1025] {
        let up = vec![f32::INFINITY; n];
        let down = vec![f32::NEG_INFINITY; n];
        assert_eq!(
            everywhere(|device| common::min_f32::reduce(device, &up)),
            f32::INFINITY
        );
        assert_eq!(
            everywhere(|device| common::max_f32::reduce(device, &down)),
            f32::NEG_INFINITY
        );
    }
    assert_eq!(
        everywhere(|device| common::min_f16::reduce(device, &[f16::INFINITY])),
        f16::INFINITY
    );
    assert_eq!(
        everywhere(|device| common::min_bf16::reduce(device, &[bf16::INFINITY])),
        bf16::INFINITY
    );
    assert_eq!(
        everywhere(|device| common::max_bf16::reduce(device, &[bf16::NEG_ONE])),
        bf16::NEG_ONE
    );
    assert_eq!(
        everywhere(|device| common::max_f16::reduce(device, &[f16::NEG_ONE])),
        f16::NEG_ONE
    );
}

#[test]
fn no_identity_leaks_into_min_and_max() {
    assert_eq!(
        everywhere(|device| common::max_f32::reduce(device, &[-3.0f32, -2.0])),
        -2.0
    );
    assert_eq!(
        everywhere(|device| common::min_f32::reduce(device, &[4.0f32, 7.0])),
        4.0
    );
    assert_eq!(
        everywhere(|device| common::min_i32::reduce(device, &[4, 7])),
        4
    );
    assert_eq!(
        everywhere(|device| common::max_i64::reduce(device, &[i64::MIN])),
        i64::MIN
    );
    let counting: Vec<u32> = (0..64).collect();
    assert_eq!(
        everywhere(|device| common::min_u32::reduce(device, &counting)),
        0
    );
    let counting: Vec<u64> = (0..64).collect();
    assert_eq!(
        everywhere(|device| common::min_u64::reduce(device, &counting)),
        0
    );
    let threes = vec![3.0f32; 257];
    assert_eq!(
        everywhere(|device| common::min_f32::reduce(device, &threes)),
        3.0
    );
    let minus_ones = vec![-1.0f32; 257];
    assert_eq!(
        everywhere(|device| common::max_f32::reduce(device, &minus_ones)),
        -1.0
    );
    let ones = vec![1.0f32; 20 * 30 * 400];
    assert_eq!(
        everywhere(|device| common::mul_f32::reduce(device, &ones)),
        1.0
    );
}

#[test]
fn operators_without_identity_need_none() {
    for n in [1, 2, 31, 33, 1025, (1 << 20) + 1] {
        let data = ordinary::<f64>(n, 5);
        let wanted = data.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(
            everywhere(|device| forms::dip::reduce(device, &data)),
            wanted,
            "n = {n}"
        );
    }
}

#[test]
fn the_first_of_equal_values_is_found() {
    let mut data = vec![0.0f32; 1 << 16];
    data[777] = 2.0;
    data[40_000] = 2.0;
    assert_eq!(
        everywhere(|device| forms::peak_at::reduce(device, &data)),
        (2.0, 777)
    );
}

/// The value, NaN or not, and its position.
fn found(pair: (f32, u64)) -> (String, u64) {
    (format!("{:?}", pair.0), pair.1)
}

#[test]
fn the_position_is_that_of_a_nan() {
    let argmax = |data: &[f32]| found(everywhere(|device| forms::argmax::reduce(device, data)));
    let argmin = |data: &[f32]| found(everywhere(|device| forms::argmin::reduce(device, data)));
    let nan = |place: u64| ("NaN".to_owned(), place);
    assert_eq!(argmin(&[f32::NAN, 1.0, f32::NAN]), nan(0));
    assert_eq!(argmax(&[f32::NAN, f32::NAN]), nan(0));
    assert_eq!(argmax(&[0.0, f32::NAN]), nan(1));
    assert_eq!(argmax(&[3.0, f32::NAN, 1.0, 5.0]), nan(1));
    assert_eq!(argmax(&[1.0, f32::NAN, 3.0]), nan(1));
    for data in [&[3.0f32, f32::NAN, 1.0, 5.0][..], &[1.0, f32::NAN, 3.0]] {
        assert!(everywhere(|device| common::max_f32::reduce(device, data)).is_nan());
    }
}

#[test]
fn the_position_of_extreme_values_is_inside() {
    assert_eq!(
        everywhere(|device| forms::argmax_u32::reduce(device, &[0, 0, 0])),
        (0, 0)
    );
    assert_eq!(
        everywhere(|device| forms::argmin_f64::reduce(device, &[f64::MAX])),
        (f64::MAX, 0)
    );
    for n in [2, 1025] {
        let (up, down) = (vec![f32::INFINITY; n], vec![f32::NEG_INFINITY; n]);
        assert_eq!(
            everywhere(|device| forms::argmin::reduce(device, &up)),
            (f32::INFINITY, 0)
        );
        assert_eq!(
            everywhere(|device| forms::argmax::reduce(device, &down)),
            (f32::NEG_INFINITY, 0)
        );
    }
}

#[test]
fn a_position_of_nothing_is_an_error() {
    for device in devices() {
        let error = forms::argmax::reduce(device, &[]).expect_err("no identity");
        assert!(
            error.is_empty_input() && error.to_string().contains("argmax"),
            "{error}"
        );
    }
}

#[test]
fn a_plan_keeps_nothing_of_its_last_input() {
    let device = Device::host();
    let plan = common::min_i32::plan(&device, 2).expect("a plan");
    let mut least = [0];
    plan.launch(&[5, 3], &mut least).expect("a launch");
    assert_eq!(least, [3]);
    plan.launch(&[9, 8], &mut least).expect("a launch");
    assert_eq!(least, [8]);
    plan.status().expect("no error");

    let plan = forms::argmin::plan(&device, 2).expect("a plan");
    let (mut least, mut place) = ([0.0], [9]);
    for (data, wanted) in [([5.0, 3.0], (3.0, 1)), ([9.0, 8.0], (8.0, 1))] {
        plan.launch(&data, (&mut least, &mut place))
            .expect("a launch");
        assert_eq!((least[0], place[0]), wanted);
    }
}

#[test]
fn empty_input_gives_the_identity_or_an_error() {
    let none: [f32; 0] = [];
    assert_eq!(
        everywhere(|device| Ok(common::add_f32::reduce(device, &none)?.to_bits())),
        0
    );
    assert_eq!(
        everywhere(|device| common::mul_f32::reduce(device, &none)),
        1.0
    );
    assert_eq!(
        everywhere(|device| common::mul_bf16::reduce(device, &[])),
        bf16::ONE
    );
    assert_eq!(
        everywhere(|device| forms::peak::reduce(device, &[])),
        i32::MIN
    );
    assert_eq!(
        everywhere(|device| forms::both::reduce(device, &none)),
        (0.0, 1.0)
    );
    assert_eq!(
        everywhere(|device| forms::sum_of_indices::reduce(device, 7..7)),
        0
    );
    assert_eq!(
        everywhere(|device| common::bitand_i32::reduce(device, &[])),
        -1
    );
    assert_eq!(
        everywhere(|device| common::bitand_u64::reduce(device, &[])),
        u64::MAX
    );
    assert_eq!(
        everywhere(|device| common::bitor_u32::reduce(device, &[])),
        0
    );
    assert_eq!(
        everywhere(|device| common::bitxor_i64::reduce(device, &[])),
        0
    );
    assert!(everywhere(|device| common::all_bool::reduce(device, &[])));
    assert!(!everywhere(|device| common::any_bool::reduce(device, &[])));
    assert_eq!(
        everywhere(|device| common::count_bool::reduce(device, &[])),
        0
    );
    assert_eq!(everywhere(|device| forms::over::reduce(device, &none)), 0);
    assert!(everywhere(
        |device| forms::below::with(0.0, false).reduce(device, &[])
    ));
    assert_eq!(
        everywhere(|device| forms::extremes::reduce(device, &[])),
        (true, false)
    );
    for device in devices() {
        let error = common::max_f32::reduce(device, &none).expect_err("no identity");
        assert!(error.is_empty_input(), "{error}");
        let message = error.to_string();
        assert!(
            message.contains("max_f32") && message.contains("empty"),
            "{message}"
        );
        assert!(
            common::min_u64::plan(device, 0)
                .expect_err("no identity")
                .is_empty_input()
        );
    }
}

#[test]
fn more_than_2_to_28_ones_are_counted() {
    #[reduction(op = Add)]
    fn ones(#[index] _i: u64) -> f64 {
        1.0
    }
    assert_eq!(
        everywhere(|device| ones::reduce(device, 0..(1 << 28) + 1)),
        268_435_457.0
    );
}

#[test]
fn ranges_start_anywhere() {
    assert_eq!(
        everywhere(|device| forms::sum_of_indices::reduce(device, 10..13)),
        33
    );
    let start = u64::MAX - 3;
    let wanted = (start..u64::MAX).fold(0, u64::wrapping_add);
    assert_eq!(
        everywhere(|device| forms::sum_of_indices::reduce(device, start..u64::MAX)),
        wanted
    );
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = 9..3;
    assert_eq!(
        everywhere(|device| forms::sum_of_indices::reduce(device, backwards.clone())),
        0
    );
}

#[test]
fn uniforms_are_bound_at_launch() {
    let data = [1.0f32, 2.0, 6.0];
    assert_eq!(
        everywhere(|device| forms::centred::with(3.0).reduce(device, &data)),
        14.0
    );
    let data = [-5000, 5, 5000];
    assert_eq!(
        everywhere(|device| forms::clipped::with(-10, 10, 0.5).reduce(device, &data)),
        2.5
    );
}

#[test]
fn results_go_where_they_are_told() {
    let host = Device::host();
    let data = [1.0f32, 2.0, 3.0];
    let mut sum = vec![0.0f32; 2];
    common::add_f32::reduce_into(&host, &data, &mut sum).expect("room");
    assert_eq!(sum, [6.0, 0.0]);
    let (mut high, mut place) = ([0.0f32], [0u64]);
    forms::peak_at::reduce_into(&host, &data, (&mut high, &mut place)).expect("room for both");
    assert_eq!((high, place), ([3.0], [2]));
}

#[test]
fn misuse_is_told_what_was_wanted() {
    let host = Device::host();
    let error = forms::dot::reduce(&host, (&[1.0f32, 2.0], &[1.0f32])).expect_err("unequal");
    assert!(error.is_bad_input());
    assert!(
        error
            .to_string()
            .contains("input 0 has 2 elements and input 1 has 1"),
        "{error}"
    );
    let error = common::add_f32::reduce_into(&host, &[1.0f32], &mut []).expect_err("no room");
    assert!(error.to_string().contains("length 0"), "{error}");
    let (mut high, mut place) = ([7.0f32], [0u64; 0]);
    let error = forms::peak_at::reduce_into(&host, &[1.0f32], (&mut high, &mut place));
    assert!(error.is_err_and(|error| error.to_string().contains("length 0")));
    assert_eq!(high, [7.0], "a call that fails writes neither");
    let plan = common::add_f32::plan(&host, 3).expect("a plan");
    let error = plan
        .launch(&[1.0f32], &mut [0.0])
        .expect_err("another length");
    assert!(
        error
            .to_string()
            .contains("3 elements was wanted, for which the plan is, but it has 1"),
        "{error}"
    );
    assert_eq!(format!("{error:?}"), error.to_string(), "Debug is Display");
}

#[test]
fn strategies_and_grids_share_the_tree() {
    let data = ordinary::<f32>(100_003, 9);
    let bits = common::add_f32::reduce(&Device::host(), &data)
        .expect("a value")
        .to_bits();
    let other = forms::sequential_sum::reduce(&Device::host(), &data)
        .expect("a value")
        .to_bits();
    assert_eq!(bits, other);
    assert!(forms::sequential_sum::CUDA.contains("fold_partials"));
    assert!(common::add_f32::CUDA.contains("fold_array"));
}

#[test]
fn explain_says_what_will_happen() {
    let text = common::add_f32::explain(&Device::host(), 1 << 24).to_string();
    for part in ["add_f32", "256 threads x 4 rows x 4", "[4096, 1]", "host"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The host has no blocks and launches nothing.
    for part in ["Shuffle", "LastBlock", "launches", "shared"] {
        assert!(!text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_device_says_why_it_is_the_one() {
    assert_eq!(Device::host().to_string(), "host (it was asked for)");
    if let Ok(gpu) = Device::gpu(0) {
        let text = gpu.to_string();
        assert!(text.ends_with(" (it was asked for)"), "{text}");
    }
}

#[test]
fn every_reduction_is_a_type_with_a_text() {
    macro_rules! check {
        ($name:ident, $op:ident, $ty:ident) => {
            let data = [<$ty as Sample>::special()[0]];
            assert_eq!(
                common::$name::reduce(&Device::host(), &data)
                    .expect("a value")
                    .bits(),
                data[0].bits()
            );
            assert!(common::$name::CUDA.contains(stringify!($name)));
        };
    }
    for_each_reduction!(check);
}

/// A tile of one place would fold for ever; one of several places in one thread folds.
#[test]
fn a_tile_of_one_is_refused() {
    let tile = Some(Tile {
        threads: 1,
        rows: 1,
    });
    let forced = Forced {
        tile,
        ..Forced::default()
    };
    let ones = [1.0f32; 100];
    let sum = Bound::<common::add_f32>::new(()).forced(forced);
    assert_eq!(sum.reduce(&Device::host(), &ones).expect("a value"), 100.0);
    let peak = Bound::<forms::peak_at>::new(()).forced(forced);
    for device in devices() {
        let error = peak.reduce(device, &ones).expect_err("a tile of one");
        assert!(error.is_bad_input());
        assert!(error.to_string().contains("force more threads"), "{error}");
    }
}

/// What users met in blocks of odd widths, over the same tree on the host.
#[test]
fn odd_blocks() {
    fn check<T: Sample, R>(probes: Vec<Known<T>>)
    where
        R: Reduction<Elements = (T,), Uniforms = (), Output = T>,
    {
        for probe in probes {
            for strategy in strategy::STRATEGIES {
                let forced = Forced {
                    strategy: Some(strategy),
                    tile: probe.tile,
                    ..Forced::default()
                };
                let bound = Bound::<R>::new(()).forced(forced);
                let found = bound.reduce(&Device::host(), &probe.data).expect("a value");
                assert_eq!(
                    found.bits(),
                    probe.right.bits(),
                    "{} {}",
                    probe.report,
                    strategy.name
                );
            }
        }
    }
    check::<u32, common::add_u32>(known::sums_of_u32());
    check::<f32, common::add_f32>(known::sums_of_f32());
    check::<f32, common::max_f32>(known::maxima_of_f32());
}
