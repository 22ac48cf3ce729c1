/** Archives with false metadata. */
import { changed, files, goodWorkbook, type Made, readParts } from "./make-files.ts";

/** Returns the start of each structure of a zip, by its signature. */
function structuresOf(zip: Buffer): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  const kinds = { local: "PK\u0003\u0004", central: "PK\u0001\u0002", end: "PK\u0005\u0006" };
  for (const [kind, signature] of Object.entries(kinds)) {
    for (let at = zip.indexOf(signature), n = 1; at >= 0; at = zip.indexOf(signature, at + 4), n++) {
      found.push({ name: `${kind} header ${n}`, at });
    }
  }
  return found;
}

/** Files cut at the start of each structure, inside its header and inside its name. */
export const truncated = files(
  "truncated",
  "folha.xlsx",
  structuresOf(goodWorkbook).flatMap(({ name, at }) =>
    [0, 13, 33].map(
      (inside): Made => [
        `at ${name} + ${inside}`,
        () => goodWorkbook.subarray(0, Math.min(at + inside, goodWorkbook.length - 1)),
      ],
    ),
  ),
);

/** Falsifies the directory entry of a part. */
function lyingDirectory(
  part: string,
  lie: (zip: Buffer, entryAt: number) => void,
  given: Buffer = goodWorkbook,
): Buffer {
  const zip = Buffer.from(given);
  for (let at = zip.indexOf("PK\u0001\u0002"); at >= 0; at = zip.indexOf("PK\u0001\u0002", at + 4)) {
    const nameBytes = zip.readUInt16LE(at + 28);
    if (zip.toString("utf8", at + 46, at + 46 + nameBytes) === part) lie(zip, at);
  }
  return zip;
}

export const lies = files(
  "lying sizes",
  "folha.xlsx",
  readParts.flatMap((part): Made[] => [
    [`${part} longer than said`, () => changed(part, { claimedBytes: 20 })],
    [`${part} shorter than said`, () => changed(part, { claimedBytes: 100_000 })],
    [`${part} of four gigabytes`, () => changed(part, { claimedBytes: 0xfffffffe })],
    [`${part} with a wrong checksum`, () => changed(part, { claimedCrc: 1 })],
    [`${part} encrypted`, () => changed(part, { flags: 1 })],
    [
      `${part} packed in an unknown way`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt16LE(99, at + 10)),
    ],
    [
      `${part} packed longer than the file`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(0x7fffffff, at + 20)),
    ],
    [
      `${part} behind the end`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(0x7fffffff, at + 42)),
    ],
    [
      `${part} inside another part`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(zip.readUInt32LE(at + 42) + 7, at + 42)),
    ],
    [
      `${part} of more bytes than a number holds, by zip64`,
      () =>
        lyingDirectory(
          part,
          (zip, at) => zip.writeBigUInt64LE(2n ** 60n, at + 46 + part.length + 4),
          changed(part, { zip64: true }),
        ),
    ],
    [
      `${part} that says zip64 and does not bring it`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(0xffffffff, at + 24)),
    ],
  ]),
);
