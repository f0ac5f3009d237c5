"""Every check can go red, and it is that check alone that makes it so.

`cases.py` holds one run for each kind of assertion and each rule of the verdict, `fields.py` one for each field of a
model request. Every case goes through `runwright run` with a real agent process, and must be exit 1. Then the one check
that it is about is taken out (`guts.py`), and the same run must be green: so the red was that check's doing.
"""
