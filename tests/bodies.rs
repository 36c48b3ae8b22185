//! Every exact form of the device language, as the unchanged kernel text on a CPU, against the host
//! twin: special values in all pairs, bit for bit. `agree.rs` does the same on a GPU.

#[macro_use]
mod common;
#[allow(dead_code, unused_imports)]
mod emulator;

use common::{Sample, bodies, forms};
use emulator::{Call, Input, Program, compile};
use kernels_gen::grid::LAST_BLOCK;
use kernels_gen::intrinsic::INTRINSICS;
use kernels_gen::strategy::SHUFFLE;
use reduce_runtime::prelude::*;
use reduce_runtime::private::{Forced, Kernel, Tile, sections};

const TILE: Tile = Tile {
    threads: 32,
    rows: 1,
};

fn program(kernel: &Kernel, result_bytes: Vec<usize>) -> Program {
    Program {
        name: kernel.name.to_owned(),
        text: sections(&kernel.fragments, &SHUFFLE, &LAST_BLOCK).concat(),
        tile: TILE,
        shape: kernel.shape,
        strategy: SHUFFLE.name,
        passes: LAST_BLOCK.passes,
        meeting: SHUFFLE.meeting,
        largest_cluster: SHUFFLE.largest_cluster(),
        dynamic_shared: SHUFFLE.dynamic_shared(kernel.shape, TILE),
        accumulator_bytes: kernel.accumulator_bytes as usize,
        result_bytes,
    }
}

/// All pairs of special and a few ordinary values.
fn pairs<T: Sample>() -> Vec<(T, T)> {
    let mut values = T::special();
    values.extend(common::ordinary::<T>(6, 21));
    let second = values.clone();
    values
        .iter()
        .flat_map(|&x| second.iter().map(move |&y| (x, y)))
        .collect()
}

macro_rules! check {
    ($body:ident, $ty:ident) => {
        #[test]
        fn $body() {
            let programs = vec![program(&bodies::$body::KERNEL, vec![8])];
            for emulated in compile(programs).into_iter().flatten() {
                for (x, y) in pairs::<$ty>() {
                    let inputs = [x, y].map(|value| bytemuck::bytes_of(&value).to_vec());
                    let inputs = inputs.each_ref().map(|bytes| Input { bytes, offset: 0 });
                    let call = Call {
                        inputs: &inputs,
                        scalars: &[],
                        n: 1,
                        blocks: 1,
                        seed: 1,
                    };
                    let found = emulated.run(&call).expect("no fault").concat();
                    let wanted =
                        bodies::$body::reduce(&Device::host(), (&[x], &[y])).expect("a value");
                    assert_eq!(found, wanted.to_ne_bytes(), "{x:?}, {y:?}");
                }
            }
        }
    };
}

for_each_body!(check);

/// Conditions as inputs, uniforms, accumulators and results, alone and in tuples.
#[test]
fn conditions() {
    let kernels = [
        (forms::over::KERNEL, vec![8]),
        (forms::below::KERNEL, vec![1]),
        (forms::masked::KERNEL, vec![8]),
        (forms::first_hit::KERNEL, vec![1, 8]),
        (forms::extremes::KERNEL, vec![1, 1]),
    ];
    let programs = kernels.map(|(kernel, bytes)| program(&kernel, bytes));
    let programs: Vec<_> = compile(programs.to_vec()).into_iter().flatten().collect();
    let run = |name: &str, inputs: &[&[u8]], scalars: &[Vec<u8>], n: usize| {
        let inputs: Vec<_> = (inputs.iter())
            .map(|bytes| Input { bytes, offset: 0 })
            .collect();
        let call = Call {
            inputs: &inputs,
            scalars,
            n: n as u64,
            blocks: 2,
            seed: n as u64,
        };
        let named = |emulated: &&emulator::Emulated| emulated.program.name == name;
        let found = programs.iter().find(named).expect("it is compiled");
        found.run(&call).expect("no fault").concat()
    };
    let host = Device::host();
    // Sums of floats depend on the tree.
    let tile = Forced {
        tile: Some(TILE),
        ..Forced::default()
    };
    for n in [1, 2, 15, 16, 17, 511, 512, 513, 1500] {
        let x = common::ordinary::<f32>(n, 1);
        let y = common::ordinary::<f64>(n, 2);
        // Few hold, so that the first is asked for.
        let flags: Vec<bool> = (0..n).map(|k| k % 97 == 90).collect();
        let (x_bytes, y_bytes) = (bytemuck::cast_slice(&x), bytemuck::cast_slice(&y));
        let flag_bytes = bytemuck::cast_slice(&flags);

        let wanted = forms::over::reduce(&host, &x).expect("a value");
        assert_eq!(
            run("over", &[x_bytes], &[], n),
            wanted.to_ne_bytes(),
            "over, n {n}"
        );
        for limit in [2.0f64, 9.0] {
            let wanted = forms::below::with(limit, true)
                .reduce(&host, &y)
                .expect("a value");
            let scalars = [limit.to_ne_bytes().to_vec(), vec![1]];
            assert_eq!(
                run("below", &[y_bytes], &scalars, n),
                [u8::from(wanted)],
                "below, n {n}"
            );
        }
        for inverted in [false, true] {
            let wanted = forms::masked::with(inverted)
                .forced(tile)
                .reduce(&host, (&y, &flags))
                .expect("a value");
            let scalars = [vec![u8::from(inverted)]];
            assert_eq!(
                run("masked", &[y_bytes, flag_bytes], &scalars, n),
                wanted.to_ne_bytes(),
                "masked, n {n}"
            );
        }
        let (any, first) = forms::first_hit::reduce(&host, &flags).expect("a value");
        let wanted = [&[u8::from(any)][..], &first.to_ne_bytes()].concat();
        assert_eq!(
            run("first_hit", &[flag_bytes], &[], n),
            wanted,
            "first_hit, n {n}"
        );
        let (all, any) = forms::extremes::reduce(&host, &flags).expect("a value");
        assert_eq!(
            run("extremes", &[flag_bytes], &[], n),
            [u8::from(all), u8::from(any)],
            "extremes, n {n}"
        );
    }
}

/// Identities of every kind reach the device with their bits.
#[test]
fn identities() {
    macro_rules! program_of {
        ($name:ident, $bytes:literal) => {
            program(&forms::$name::KERNEL, vec![$bytes])
        };
    }
    let host = Device::host();
    let wanted: [Vec<u8>; 6] = [
        forms::from_infinity::reduce(&host, &[])
            .expect("an identity")
            .to_ne_bytes()
            .to_vec(),
        forms::from_below::reduce(&host, &[])
            .expect("an identity")
            .to_ne_bytes()
            .to_vec(),
        forms::from_nan::reduce(&host, &[])
            .expect("an identity")
            .to_ne_bytes()
            .to_vec(),
        forms::from_negative_zero::reduce(&host, &[])
            .expect("an identity")
            .to_ne_bytes()
            .to_vec(),
        forms::from_least::reduce(&host, &[])
            .expect("an identity")
            .to_ne_bytes()
            .to_vec(),
        forms::from_largest::reduce(&host, &[])
            .expect("an identity")
            .to_ne_bytes()
            .to_vec(),
    ];
    assert_eq!(wanted[0], f32::INFINITY.to_ne_bytes());
    assert_eq!(wanted[1], f64::NEG_INFINITY.to_ne_bytes());
    assert_eq!(wanted[2], 0x7fc0_0000u32.to_ne_bytes());
    assert_eq!(wanted[3], (-0.0f64).to_ne_bytes());
    assert_eq!(wanted[4], i64::MIN.to_ne_bytes());
    assert_eq!(wanted[5], u64::MAX.to_ne_bytes());
    let programs = vec![
        program_of!(from_infinity, 4),
        program_of!(from_below, 8),
        program_of!(from_nan, 4),
        program_of!(from_negative_zero, 8),
        program_of!(from_least, 8),
        program_of!(from_largest, 8),
    ];
    for (emulated, wanted) in compile(programs).into_iter().flatten().zip(wanted) {
        let inputs = [Input {
            bytes: &[],
            offset: 0,
        }];
        let call = Call {
            inputs: &inputs,
            scalars: &[],
            n: 0,
            blocks: 1,
            seed: 1,
        };
        let found = emulated.run(&call).expect("no fault").concat();
        assert_eq!(found, wanted, "{}", emulated.program.name);
    }
}

/// No exact method is left out above.
#[test]
fn every_exact_method_is_in_some_body() {
    let text = include_str!("common/bodies.rs");
    let exact = INTRINSICS.iter().filter(|row| row.exact && row.callable);
    let missing: Vec<_> = exact
        .filter(|row| !text.contains(&format!(".{}(", row.name)))
        .map(|row| row.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
