"""Where IR comes from: SwiftPM's release build, other targets, and the machine code that is compared with what ships."""
