//! Tells cargo that the binary holds the site, files that are new in it included.

fn main() {
    println!("cargo:rerun-if-changed=../target/site");
    println!("cargo:rerun-if-changed=migrations");
}
