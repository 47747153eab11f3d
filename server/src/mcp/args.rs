//! Arguments → the domain's own words, every fault at once.

use super::catalogue;
use sayso_domain::{
    Ask, Code, Fault, Faults, Object, Pointer, ReviewId, approval::Approval, arguments::clamp,
    canonical::canonical, fault::excerpt, proposal::Proposal, review::Repeat, selection::Selection,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
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
    /// The key under which the same call may come again.
    pub(super) repeat: Option<Repeat>,
    /// The arguments, without that key.
    pub(super) arguments: Object,
}

/// What a waiting call asks.
pub(super) struct Waiting {
    /// For what, or `None` where it can be nobody's.
    pub(super) id: Option<ReviewId>,
    pub(super) at_most: Duration,
    /// Whether the link is to be offered once more.
    pub(super) remind: bool,
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
    pub(super) fn parse(self, mut given: Object) -> Result<Asked, Faults> {
        let (key, mut ours) = take_key(&mut given);
        let given = Value::Object(given);
        let Value::Object(arguments) = &given else { unreachable!("it was made so") };
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
        ours.extend(parsed.as_ref().err().into_iter().flat_map(|faults| faults.iter().cloned()));
        // The domain says it better; the published schema adds what the domain did not mention.
        let told = |fault: &Fault| ours.iter().any(|ours| fault.pointer.is_within(&ours.pointer));
        let theirs: Vec<Fault> =
            catalogue::check_value(self.name(), &given).into_iter().filter(|fault| !told(fault)).collect();
        Faults::check(ours.into_iter().chain(theirs).collect())?;
        let repeat = key.map(|key| Repeat { key, digest: self.digest(&given) });
        let Value::Object(arguments) = given else { unreachable!("it was made so") };
        parsed.map(|(ask, seconds)| Asked { ask, seconds, repeat, arguments })
    }

    /// Tells whether two calls say the same.
    fn digest(self, arguments: &Value) -> String {
        let said = format!("{}\0{}", self.name(), canonical(arguments));
        Sha256::digest(said).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Takes the key under which the same call may come again out of the arguments, and says what is wrong with it.
fn take_key(arguments: &mut Object) -> (Option<String>, Vec<Fault>) {
    const AT_MOST: usize = 200;
    let Some(given) = arguments.shift_remove("idempotencyKey") else {
        return (None, Vec::new());
    };
    let at = Pointer::root().child("idempotencyKey");
    let fault = |code, message: &str| Fault::new(&at, code, message).allowed("1 to 200 characters");
    let fault = match &given {
        Value::String(key) if key.is_empty() => fault(Code::TooShort, "An idempotency key is not empty"),
        Value::String(key) if key.chars().count() > AT_MOST => {
            fault(Code::TooLong, "An idempotency key is short")
                .found(format!("{} characters", key.chars().count()))
        }
        Value::String(key) if key.contains('\0') => {
            fault(Code::WrongFormat, "An idempotency key has no NUL characters")
        }
        Value::String(key) => return (Some(key.clone()), Vec::new()),
        other => fault(Code::WrongType, "An idempotency key is a string").found(excerpt(&other.to_string())),
    };
    (None, vec![fault])
}

/// The key stands for a call that said something else.
pub(super) fn key_reused(first: ReviewId) -> Faults {
    let at = Pointer::root().child("idempotencyKey");
    Fault::new(&at, Code::KeyReused, "This key stands for an earlier call of yours with other arguments")
        .found(format!("the request {first}"))
        .allowed("the same arguments as then, or a new key")
        .fix("Call with a key that you have not used, or with exactly the earlier arguments")
        .into()
}

/// Whether the tool of this name creates a request.
pub(super) fn creates(name: &str) -> bool {
    Creating::ALL.into_iter().any(|tool| tool.name() == name)
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
pub(super) fn wait(arguments: &Object) -> Result<Waiting, Faults> {
    let id = id("elicit_await", arguments)?;
    let seconds = match arguments.get("waitSeconds") {
        Some(Value::Number(seconds)) => clamp(seconds, 1..=300),
        _ => 45,
    };
    let remind = arguments.get("remind") == Some(&Value::Bool(true));
    Ok(Waiting { id, at_most: Duration::from_secs(seconds.into()), remind })
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
