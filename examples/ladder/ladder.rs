//! All rungs of one run.

use reduce_runtime::Device;

use crate::cost;
use crate::fault::Fault;
use crate::number::gbps;
use crate::rung::Rung;

/// The rungs, and what they have in common.
#[derive(Debug)]
pub struct Ladder {
    /// What ran.
    pub device: String,
    /// Elements.
    pub n: u64,
    /// As they are taught.
    pub rungs: Vec<Rung>,
    /// What a reader should know, a line each.
    pub notes: Vec<String>,
}

impl Ladder {
    /// The ladder over `n` elements, with times where there is a GPU.
    pub fn timed(n: u64) -> Result<Ladder, Fault> {
        let device = Device::auto();
        let mut ladder = Ladder {
            device: device.to_string(),
            n,
            rungs: Rung::every(),
            notes: Vec::new(),
        };
        if device.is_gpu() {
            ladder.time(&device)?;
        }
        Ok(ladder)
    }

    #[cfg(feature = "cuda")]
    fn time(&mut self, device: &Device) -> Result<(), Fault> {
        for rungs in self.rungs.chunk_by_mut(Rung::shares_subject) {
            let subject = rungs[0].subject;
            (subject.time)(device, self.n, rungs)?;
        }
        Ok(())
    }

    #[cfg(not(feature = "cuda"))]
    fn time(&mut self, _: &Device) -> Result<(), Fault> {
        Ok(())
    }

    /// Fills in the costs that are missing, where kernels can be emulated.
    pub fn emulate(&mut self) {
        if !self.is_timed() {
            self.notes
                .push("times need a GPU, and none was used".to_owned());
        }
        let mut bare: Vec<&mut Rung> = self
            .rungs
            .iter_mut()
            .filter(|rung| rung.cost.is_none())
            .collect();
        if bare.is_empty() {
            return;
        }
        match cost::obstacle() {
            Some(obstacle) => self
                .notes
                .push(format!("no kernel was emulated: {obstacle}")),
            None => self.notes.extend(cost::fill(&mut bare)),
        }
    }

    /// Whether there is a time of any rung.
    pub fn is_timed(&self) -> bool {
        self.rungs.iter().any(|rung| rung.timed.is_some())
    }

    /// What the shares of these rungs, all of one subject, are of.
    pub fn ceiling(&self, rungs: &[Rung]) -> Option<String> {
        let us = rungs.iter().find_map(|rung| rung.timed)?.ceiling_us;
        let gbps = gbps(self.n as usize * rungs[0].subject.element_bytes, us);
        Some(format!(
            "ceiling: reading alone takes {us:.2} us, {gbps:.0} GB/s"
        ))
    }
}
