// This module exports the functions in Interface. The toolset file lists them for the linker.
import Interface
