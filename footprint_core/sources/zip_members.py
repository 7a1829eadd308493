"""A zip's member as bytes, also one packed with Zstandard (method 93), which newer Inspect logs are.

The standard library reads that method from Python 3.14 on only. Nothing beyond the size the archive states is
unpacked, and the checksum is held to it.
"""

import struct
import zipfile
import zlib

ZSTANDARD = 93
_LOCAL = struct.Struct("<4s5H3I2H")


def member_bytes(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member. Raises zipfile.BadZipFile where it is damaged, NotImplementedError for other methods."""
    if info.compress_type != ZSTANDARD:
        return archive.read(info)
    packed = _packed(archive, info)
    import zstandard

    try:
        reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
        data = reader.read(info.file_size + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise zipfile.BadZipFile("its size or checksum is not the one the archive states")
    return data


def _packed(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The packed bytes of a member, found behind its local header."""
    file = archive.fp
    if file is None:
        raise zipfile.BadZipFile("the archive is closed")
    file.seek(info.header_offset)
    head = file.read(_LOCAL.size)
    if len(head) != _LOCAL.size or head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile("a member's header is damaged")
    fields = _LOCAL.unpack(head)
    file.seek(fields[9] + fields[10], 1)
    packed = file.read(info.compress_size)
    if len(packed) != info.compress_size:
        raise zipfile.BadZipFile("a member stops in the middle")
    return packed


def sample_members(names: list[str]) -> list[str]:
    """The members of an Inspect log that hold samples, none where the archive is no such log."""
    is_log = "header.json" in names or any(name.startswith("_journal/") for name in names)
    return [name for name in names if name.startswith("samples/") and name.endswith(".json")] if is_log else []
