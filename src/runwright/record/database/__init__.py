"""What a run changed in databases: rows by their keys, tables and what else has a definition."""

from runwright.record.database.databases import Databases as Databases
from runwright.record.database.files import Limits as Limits
from runwright.record.database.model import CHANGE as CHANGE, FILE as FILE, DatabaseChanges as DatabaseChanges
