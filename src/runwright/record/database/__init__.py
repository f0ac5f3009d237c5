"""What a run changed in databases: rows by their keys, tables and what else has a definition."""

from runwright.record.database.address import address_of as address_of
from runwright.record.database.databases import Databases as Databases
from runwright.record.database.files import Limits as Limits
from runwright.record.database.joined import with_databases as with_databases
from runwright.record.database.model import CHANGE as CHANGE, FILE as FILE, DatabaseChanges as DatabaseChanges
