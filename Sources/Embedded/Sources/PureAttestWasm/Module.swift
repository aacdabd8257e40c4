// The module's exports are those of Interface; the toolset lists them for the linker.
import Interface
