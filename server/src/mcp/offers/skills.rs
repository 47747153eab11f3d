//! Skills (SEP-2640): `skill://sayso/<name>/SKILL.md`, inside the binary. rmcp's own catalogue reads a folder at run
//! time, and a release is one file; so only its types are used.

use super::flow::Flow;
use rmcp::{
    ErrorData,
    model::{Resource, ResourceContents, Skill, SkillFrontmatter, SkillResource, SkillResources},
};
use sayso_domain::fault::excerpt;

const KIND: &str = "text/markdown";

/// Every skill, each one file with its digest.
pub(super) fn all() -> impl Iterator<Item = Skill> {
    Flow::ALL.into_iter().map(skill)
}

/// The skill at this URI.
///
/// # Errors
/// There is none.
pub(super) fn find(uri: &str) -> Result<Skill, ErrorData> {
    flow_at(uri).map(skill).ok_or_else(|| {
        ErrorData::invalid_params(
            format!("there is no skill at `{}`; skills/list says which", excerpt(uri)),
            None,
        )
    })
}

/// The files of skills, for whoever lists resources.
pub(super) fn resources() -> impl Iterator<Item = Resource> {
    Flow::ALL.into_iter().map(|flow| {
        let text = flow.text();
        Resource::new(uri(flow), text.name)
            .with_title(flow.title())
            .with_description(text.description)
            .with_mime_type(KIND)
            .with_size(text.whole.len() as u64)
    })
}

/// The file at this URI, if it is one of a skill.
pub(super) fn contents(uri: &str) -> Option<ResourceContents> {
    flow_at(uri).map(|flow| ResourceContents::text(flow.text().whole, uri).with_mime_type(KIND))
}

fn skill(flow: Flow) -> Skill {
    let (uri, text) = (uri(flow), flow.text());
    let file = SkillResource::from_bytes(uri.clone(), text.whole.as_bytes());
    Skill::new(uri, SkillFrontmatter::new(text.name, text.description), SkillResources::Files(vec![file]))
}

fn uri(flow: Flow) -> String {
    format!("skill://sayso/{}/SKILL.md", flow.text().name)
}

fn flow_at(wanted: &str) -> Option<Flow> {
    Flow::ALL.into_iter().find(|flow| uri(*flow) == wanted)
}
