"""The sources of IR: SwiftPM's release build and other targets; and the comparison with the machine code that ships."""
