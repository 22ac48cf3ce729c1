/**
 * Writes a ZIP piece by piece (PKWARE's APPNOTE 6.3); only an entry's directory line stays in memory. Entries are
 * stored uncompressed, because the content of a PDF is compressed already. Names are plain ASCII and times are
 * parameters, so that equal content gives equal bytes on every machine.
 */
import { crc32 } from "node:zlib";

const inTheLocalHeader = 0x04034b50;
const inTheDirectory = 0x02014b50;
const wideDirectoryEnd = 0x06064b50;
const wideDirectoryPlace = 0x07064b50;
const directoryEnd = 0x06054b50;
/** ZIP versions needed to read an entry, and a directory of more entries than sixteen bits can count. */
const plainVersion = 20;
const wideVersion = 45;
const entriesMax = 0xffff;
const bytesMax = 0xffffffff;

/** Local time as `YYYY-MM-DD` and `HH:MM:SS`; ZIP stores it in steps of two seconds. */
export interface WallTime {
  date: string;
  time: string;
}

export interface ZipWriter {
  add(name: string, content: Uint8Array, at: WallTime): Uint8Array[];
  /** Returns the directory; no entry can be added afterwards. */
  end(): Buffer[];
}

export function zipWriter(): ZipWriter {
  const directory: Buffer[] = [];
  let offset = 0;
  return {
    add(name, content, { date, time }) {
      if (!/^[ -~]{1,200}$/.test(name) || /[\\/]/.test(name))
        throw new Error(`no name for an entry: ${name}`);
      if (offset + content.length > bytesMax) throw new Error("a ZIP of four gigabytes");
      const common = Buffer.alloc(26);
      common.writeUInt16LE(plainVersion, 0);
      common.writeUInt16LE(dosTime(time), 6);
      common.writeUInt16LE(dosDate(date), 8);
      common.writeUInt32LE(crc32(content), 10);
      common.writeUInt32LE(content.length, 14);
      common.writeUInt32LE(content.length, 18);
      common.writeUInt16LE(name.length, 22);
      const pieces = [uint32(inTheLocalHeader), common, Buffer.from(name, "ascii"), content];
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(offset, 10);
      directory.push(
        Buffer.concat([
          uint32(inTheDirectory),
          uint16(plainVersion),
          common,
          rest,
          Buffer.from(name, "ascii"),
        ]),
      );
      offset += pieces.reduce((sum, piece) => sum + piece.length, 0);
      return pieces;
    },
    end() {
      const lines = Buffer.concat(directory);
      const isWide = directory.length >= entriesMax;
      const end = Buffer.alloc(18);
      const count = Math.min(directory.length, entriesMax);
      end.writeUInt16LE(count, 4);
      end.writeUInt16LE(count, 6);
      end.writeUInt32LE(lines.length, 8);
      end.writeUInt32LE(offset, 12);
      const wide = isWide ? wideEnd(directory.length, lines.length, offset) : [];
      return [lines, ...wide, uint32(directoryEnd), end];
    },
  };
}

function wideEnd(count: number, bytes: number, offset: number): Buffer[] {
  const end = Buffer.alloc(52);
  end.writeBigUInt64LE(44n, 0);
  end.writeUInt16LE(wideVersion, 8);
  end.writeUInt16LE(wideVersion, 10);
  end.writeBigUInt64LE(BigInt(count), 20);
  end.writeBigUInt64LE(BigInt(count), 28);
  end.writeBigUInt64LE(BigInt(bytes), 36);
  end.writeBigUInt64LE(BigInt(offset), 44);
  const place = Buffer.alloc(16);
  place.writeBigUInt64LE(BigInt(offset + bytes), 4);
  place.writeUInt32LE(1, 12);
  return [uint32(wideDirectoryEnd), end, uint32(wideDirectoryPlace), place];
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const dosTime = (time: string) =>
  (Number(time.slice(0, 2)) << 11) | (Number(time.slice(3, 5)) << 5) | (Number(time.slice(6, 8)) >> 1);
const dosDate = (date: string) =>
  ((Number(date.slice(0, 4)) - 1980) << 9) | (Number(date.slice(5, 7)) << 5) | Number(date.slice(8, 10));
