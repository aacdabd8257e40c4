"""Generates the status page: functions that are proven, proven in part or only tested, and the trusted parts."""
