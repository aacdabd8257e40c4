"""The status page: which functions of a verification are proven, in part or tested only, and what all of it rests on."""
