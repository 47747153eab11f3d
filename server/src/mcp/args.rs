//! Arguments → the domain's own words, every fault at once.

use super::catalogue;
use sayso_domain::{
    Ask, Code, Fault, Faults, Object, Pointer, ReviewId, approval::Approval, arguments::clamp,
    fault::excerpt, proposal::Proposal, selection::Selection,
};
use serde_json::Value;
use std::time::Duration;

/// A tool that creates a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Creating {
    Approval,
    Proposal,
    Selection,
}

/// What a creating tool asks.
pub(super) struct Asked {
    pub(super) ask: Ask,
    pub(super) seconds: u32,
}

impl Creating {
    const ALL: [Self; 3] = [Self::Approval, Self::Proposal, Self::Selection];

    /// The tool's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Approval => "elicit_approval",
            Self::Proposal => "elicit_proposal",
            Self::Selection => "elicit_selection",
        }
    }

    /// Parses the arguments of this tool.
    ///
    /// # Errors
    /// Every fault at once.
    pub(super) fn parse(self, arguments: &Object) -> Result<Asked, Faults> {
        let parsed = match self {
            Self::Approval => {
                Approval::parse(arguments).map(|(approval, seconds)| (Ask::Approval(approval), seconds))
            }
            Self::Proposal => {
                Proposal::parse(arguments).map(|(proposal, seconds)| (Ask::Proposal(proposal), seconds))
            }
            Self::Selection => {
                Selection::parse(arguments).map(|(selection, seconds)| (Ask::Selection(selection), seconds))
            }
        };
        let ours: Vec<Fault> =
            parsed.as_ref().err().map(|faults| faults.iter().cloned().collect()).unwrap_or_default();
        // The domain says it better; the published schema adds what the domain did not mention.
        let told = |fault: &Fault| ours.iter().any(|ours| fault.pointer.is_within(&ours.pointer));
        let theirs: Vec<Fault> =
            catalogue::check(self.name(), arguments).into_iter().filter(|fault| !told(fault)).collect();
        Faults::check(ours.into_iter().chain(theirs).collect())?;
        parsed.map(|(ask, seconds)| Asked { ask, seconds })
    }
}

/// The arguments of `elicit_preview`: a creating tool and what to call it with.
pub(super) fn preview(arguments: &Object) -> Result<(Creating, &Object), Faults> {
    Faults::check(catalogue::check("elicit_preview", arguments))?;
    let name = arguments.get("tool").and_then(Value::as_str).unwrap_or_default();
    let tool = Creating::ALL.into_iter().find(|tool| tool.name() == name).ok_or_else(|| {
        let known = Creating::ALL.map(Creating::name).join(", ");
        let at = Pointer::root().child("tool");
        Fault::new(&at, Code::UnknownOption, format!("`{}` is no tool that creates a request", excerpt(name)))
            .found(name)
            .allowed(known)
            .fix("Name the tool that you mean to call")
    })?;
    let inner = arguments.get("arguments").and_then(Value::as_object).ok_or_else(|| {
        let at = Pointer::root().child("arguments");
        Fault::new(&at, Code::Missing, "`arguments` is needed").allowed("an object")
    })?;
    Ok((tool, inner))
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
