//! Arguments → the domain's own words, every fault at once.

use super::catalogue;
use sayso_domain::{
    Ask, Code, Fault, Faults, Object, Pointer, ReviewId, arguments::clamp, proposal::Proposal,
};
use serde_json::Value;
use std::time::Duration;

/// What `elicit_proposal` asks.
pub(super) struct Asked {
    pub(super) ask: Ask,
    pub(super) seconds: u32,
}

/// The arguments of `elicit_proposal`.
pub(super) fn proposal(arguments: &Object) -> Result<Asked, Faults> {
    let parsed = Proposal::parse(arguments);
    let ours: Vec<Fault> =
        parsed.as_ref().err().map(|faults| faults.iter().cloned().collect()).unwrap_or_default();
    // The domain says it better; the published schema adds what the domain did not mention.
    let told = |fault: &Fault| ours.iter().any(|ours| fault.pointer.is_within(&ours.pointer));
    let theirs: Vec<Fault> =
        catalogue::check("elicit_proposal", arguments).into_iter().filter(|fault| !told(fault)).collect();
    Faults::check(ours.into_iter().chain(theirs).collect())?;
    parsed.map(|(proposal, seconds)| Asked { ask: Ask::Proposal(proposal), seconds })
}

/// The arguments of `elicit_status` and `elicit_result`: an id, or `None` where it can be nobody's.
pub(super) fn id(tool: &str, arguments: &Object) -> Result<Option<ReviewId>, Faults> {
    Faults::check(catalogue::check(tool, arguments))?;
    Ok(arguments.get("elicitationId").and_then(Value::as_str).and_then(|id| id.parse().ok()))
}

/// The arguments of `elicit_await`.
pub(super) fn wait(arguments: &Object) -> Result<(Option<ReviewId>, Duration), Faults> {
    let id = id("elicit_await", arguments)?;
    let seconds = match arguments.get("waitSeconds") {
        Some(Value::Number(seconds)) => clamp(seconds, 1..=300),
        _ => 45,
    };
    Ok((id, Duration::from_secs(seconds.into())))
}

/// The arguments of `elicit_cancel`.
pub(super) fn cancel(arguments: &Object) -> Result<(Option<ReviewId>, Option<String>), Faults> {
    let id = id("elicit_cancel", arguments)?;
    let reason = arguments.get("reason").and_then(Value::as_str).map(str::to_owned);
    if reason.as_ref().is_some_and(|reason| reason.contains('\0')) {
        let fault = Fault::new(
            &Pointer::root().child("reason"),
            Code::WrongFormat,
            "A reason is a sentence, without NUL characters",
        );
        return Err(fault.fix("Leave the character out").into());
    }
    Ok((id, reason))
}
