//! What stands for a reduction whose signature has faults, so that its callers add none.

use std::marker::PhantomData;

use crate::device::Device;
use crate::error::Result;
use crate::explain::Explain;

/// A bound reduction or a plan of one; no program that compiles has a value of it.
#[derive(Debug)]
pub struct Faulty<O>(PhantomData<O>);

#[allow(missing_docs)]
impl<O> Faulty<O> {
    pub fn reduce<I>(&self, _: &Device, _: I) -> Result<O> {
        unreachable!()
    }

    pub fn reduce_into<I, D>(&self, _: &Device, _: I, _: D) -> Result<()> {
        unreachable!()
    }

    pub fn plan(&self, _: &Device, _: u64) -> Result<Faulty<O>> {
        unreachable!()
    }

    pub fn explain(&self, _: &Device, _: u64) -> Explain {
        unreachable!()
    }

    pub fn launch<I, D>(&self, _: I, _: D) -> Result<()> {
        unreachable!()
    }

    pub fn n(&self) -> u64 {
        unreachable!()
    }

    pub fn status(&self) -> Result<()> {
        unreachable!()
    }
}
