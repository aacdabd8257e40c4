// The module's exports are those in Interface; the toolset lists them for the linker.
import Interface
