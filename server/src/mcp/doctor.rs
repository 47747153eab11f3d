//! What this host told of itself, what became of the prompts that it was sent, and what follows from both.

use super::host::{Host, Reach};
use sayso_domain::prompt::{Action, Prompt};
use serde_json::{Value, json};

/// What a host is told about itself.
pub(super) fn examine(host: &Host, prompts: &[Prompt], is_https: bool) -> Value {
    const LATEST: usize = 10;
    let latest = prompts.iter().take(LATEST).map(|prompt| {
        json!({
            "elicitationId": prompt.review, "channel": prompt.channel, "sentAt": prompt.at.to_string(),
            "action": prompt.reaction.map(|reaction| reaction.action),
            "afterMs": prompt.reaction.map(|reaction| reaction.after)
        })
    });
    let counts = Counts::of(prompts);
    json!({
        "host": host.told(),
        "prompts": {
            "sent": prompts.len(), "open": counts.open, "seen": counts.seen, "bySoftware": counts.by_software,
            "failed": counts.failed, "latest": latest.collect::<Vec<_>>()
        },
        "advice": advice(host, &counts, is_https)
    })
}

#[derive(Default)]
struct Counts {
    open: usize,
    seen: usize,
    by_software: usize,
    failed: usize,
}

impl Counts {
    fn of(prompts: &[Prompt]) -> Self {
        let mut counts = Self::default();
        for prompt in prompts {
            match prompt.reaction {
                None => counts.open += 1,
                Some(reaction) if reaction.action == Action::Fail => counts.failed += 1,
                Some(reaction) if reaction.is_software() => counts.by_software += 1,
                Some(_) => counts.seen += 1,
            }
        }
        counts
    }
}

fn advice(host: &Host, counts: &Counts, is_https: bool) -> Vec<&'static str> {
    let mut advice = Vec::new();
    match host.reach {
        Reach::None => advice.push(
            "This host did not advertise `elicitation.url`, so it is never asked to show a link: write reviewUrl in your answer, on a line of its own.",
        ),
        Reach::Push => advice.push(
            "This host is asked to show the link while the creating call is answered, and again by elicit_await where no person has seen it. Write reviewUrl in your answer as well.",
        ),
        Reach::InputRequired => advice.push(
            "This host is asked to show the link by the first elicit_await, which comes back as soon as the host has answered. Write reviewUrl in your answer as well.",
        ),
    }
    if counts.by_software > 0 {
        advice.push(
            "Some prompts were answered in under 2 seconds, which is software and not a person: what such a prompt says is not known to the person. Call elicit_await with `remind: true` to offer the link once more.",
        );
    }
    if counts.failed > 0 {
        advice.push("Some prompts could not be shown by the host: write reviewUrl in your answer.");
        if !is_https {
            advice.push(
                "This server's public URL is http; some hosts open https links only. Whoever runs it can set --public-url to an https address.",
            );
        }
    }
    if counts.open > 0 && counts.seen == 0 {
        advice.push("Some prompts are unanswered: a host may have put them away when the call that sent them came back.");
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;
    use sayso_domain::{
        Moment, ReviewId,
        prompt::{Channel, Reaction},
    };

    fn prompt(reaction: Option<(Action, u64)>) -> Prompt {
        Prompt {
            id: "p".to_owned(),
            review: ReviewId::from_bits(1),
            principal: "a".to_owned(),
            client: None,
            channel: Channel::Pushed,
            at: Moment(0),
            reaction: reaction.map(|(action, after)| Reaction { action, after }),
        }
    }

    #[test]
    fn software_people_and_failures_are_told_apart() {
        let prompts = [
            prompt(None),
            prompt(Some((Action::Cancel, 3))),
            prompt(Some((Action::Decline, 5_000))),
            prompt(Some((Action::Fail, 1))),
        ];
        let counts = Counts::of(&prompts);
        assert_eq!((counts.open, counts.seen, counts.by_software, counts.failed), (1, 1, 1, 1));
    }
}
