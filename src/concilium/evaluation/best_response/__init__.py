"""Exact best responses in small games of Believers, by enumeration; see :mod:`.report`."""
