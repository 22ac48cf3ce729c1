import { readdirSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { cancelSheet, downloadModelSheet, importSheet, readSheet } from "@malote/contracts/import";
import { gather } from "@malote/sheet-reader/testing-workbook";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Person, TestApp } from "../../testing/app.ts";
import {
  buildImportApp,
  csvOf,
  multipart,
  multipartType,
  pixHeadings,
  pixRow,
  upload,
  uploadPath,
} from "../../testing/import-kit.ts";
import { openSheet } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";

let app: TestApp;
let helena: Person;
let rui: Person;
let ana: Person;
let marcos: Person;

beforeAll(async () => {
  app = await buildImportApp();
  [helena, rui, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("rui@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(() => app.close());

const good = csvOf([pixHeadings, pixRow()]);

function storedFiles(): string[] {
  try {
    return readdirSync(join(app.services.config.dataDir, "sheets"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

describe("uploading", () => {
  it("refuses callers without a session, before reading the file", async () => {
    const answer = await app.send(
      "POST",
      uploadPath,
      multipart([{ name: "file", fileName: "a.csv", content: good }]),
      {
        headers: multipartType,
      },
    );
    expect(answer).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("IMP-001 refuses an analyst", async () => {
    expect(await upload(ana, good)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it.each(["lote.xls", "lote.pdf", "lote", "lote.xlsx.exe", "../../etc/passwd", ""])(
    "IMP-008 refuses the name %j",
    async (name) => {
      expect(await upload(helena, good, name)).toMatchObject({
        status: 422,
        body: { code: "sheet_wrong_ending" },
      });
    },
  );

  it("IMP-009 refuses a file of size zero with the text of the model", async () => {
    expect(await upload(helena, "")).toMatchObject({
      status: 422,
      body: {
        code: "sheet_empty",
        message: "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.",
      },
    });
  });

  it("refuses a compressed body of a file or of a call, because the server decompresses none", async () => {
    const packed = { "content-encoding": "gzip" };
    const refused = { status: 415, body: { code: "unsupported_media_type" } };
    const file = multipart([{ name: "file", fileName: "a.csv", content: good }]);
    expect(await helena.post(uploadPath, file, { ...multipartType, ...packed })).toMatchObject(refused);
    expect(await helena.call(importSheet, { body: { items: [] } }, packed)).toMatchObject(refused);
  });

  it("IMP-024 refuses a body that is not a file upload", async () => {
    expect(await helena.post(uploadPath, { file: "x" })).toMatchObject({
      status: 415,
      body: { code: "unsupported_media_type" },
    });
    expect(
      await helena.post(uploadPath, multipart([{ name: "fileName", content: "a.csv" }]), multipartType),
    ).toMatchObject({
      status: 400,
      body: { code: "sheet_upload_failed", message: "Ocorreu um problema no upload da planilha." },
    });
    const nameless = multipart([{ name: "file", type: "application/octet-stream", content: good }]);
    expect((await helena.post(uploadPath, nameless, multipartType)).status).toBe(422);
  });

  it.each([
    ["an unfinished body", () => multipart([{ name: "file", fileName: "a.csv", content: good }], false)],
    ["no body at all", () => Buffer.alloc(0)],
    [
      "a field with a name of every object",
      () => multipart([{ name: "__proto__", fileName: "a.csv", content: good }]),
    ],
    [
      "a file name that is JSON and no text",
      () =>
        multipart([
          { name: "fileName", type: "application/json", content: '{"toString":1,"valueOf":1}' },
          { name: "file", fileName: "a.pdf", content: good },
        ]),
    ],
    [
      "two files",
      () =>
        multipart([
          { name: "file", fileName: "a.csv", content: good },
          { name: "file", fileName: "b.csv", content: good },
        ]),
    ],
    [
      "a file name that is broken JSON",
      () =>
        multipart([
          { name: "file", fileName: "a.csv", content: good },
          { name: "fileName", type: "application/json", content: "{" },
        ]),
    ],
    [
      "seven parts",
      () =>
        multipart(
          [..."abcdef"]
            .map((name) => ({ name, content: "x" }))
            .concat({ name: "file", fileName: "a.csv", content: good } as never),
        ),
    ],
  ])("refuses %s as the caller's mistake and stores nothing", async (_, body) => {
    const before = storedFiles();
    const answer = await helena.post(uploadPath, body(), multipartType);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(storedFiles()).toEqual(before);
  });

  it("S5 refuses a thousand tiny parts in one chunk before processing them", async () => {
    const before = storedFiles();
    const tiny = Array.from({ length: 1_000 }, () => ({ name: "f", content: "x" }));
    const body = multipart(tiny);
    const answer = await helena.post(uploadPath, body, multipartType);
    expect(answer).toMatchObject({ status: 400, body: { code: "sheet_upload_failed" } });
    expect(storedFiles()).toEqual(before);
    // The test checks the buffer that the form's parser received: once it is overwritten, no part can be made of it.
    expect(body.every((byte) => byte === 0)).toBe(true);
  });

  it("accepts a file that repeats the boundary of its form", async () => {
    const disposition = 'content-disposition: form-data; name="file"; filename="a.csv"';
    const body = Buffer.from(`--a\r\n${disposition}\r\n\r\n${"a a--a\r\n".repeat(100)}\r\n--a--\r\n`);
    const answer = await helena.post(uploadPath, body, { "content-type": "multipart/form-data; boundary=a" });
    expect(answer).toMatchObject({ status: 200 });
  });

  it("S5 refuses one byte more than 50 MiB and stores nothing of it", async () => {
    const before = storedFiles();
    expect(await upload(helena, Buffer.alloc(50 * 1024 * 1024 + 1, 0x20))).toMatchObject({
      status: 413,
      body: { code: "sheet_too_large", data: { limit: "50 MB" } },
    });
    expect(storedFiles()).toEqual(before);
  });

  it("refuses a wrong file extension over a real connection without waiting for the rest of the file", async () => {
    await app.server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.server.address() as AddressInfo;
    // The rest of the body never arrives.
    const body = new ReadableStream({
      start: (rest) =>
        rest.enqueue(
          multipart([{ name: "file", fileName: "a.pdf", content: Buffer.alloc(8_000_000, 1) }]).subarray(
            0,
            200_000,
          ),
        ),
    });
    const answer = await fetch(`http://127.0.0.1:${port}${uploadPath}`, {
      method: "POST",
      headers: { authorization: `Bearer ${helena.token}`, ...multipartType },
      body,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(422);
  });

  it("S5 refuses a declared size above a sheet's maximum immediately, without reading to the end", async () => {
    const { port } = app.server.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.on("close", resolve));
    const answered = new Promise<string>((resolve) =>
      socket.once("data", (bytes) => resolve(bytes.toString("latin1"))),
    );
    socket.on("error", () => undefined);
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${helena.token}\r\ncontent-type: ${multipartType["content-type"]}\r\ncontent-length: 1073741824\r\n\r\n`,
    );
    expect(await answered).toMatch(/^HTTP\/1.1 413 /);
    const piece = Buffer.alloc(1024 * 1024, "a");
    let sent = 0;
    while (
      !socket.destroyed &&
      sent < 1024 &&
      (await new Promise((on) => socket.write(piece, (bad) => on(!bad))))
    )
      sent++;
    await closed;
    expect(sent).toBeLessThan(200);
  });

  it.each([
    ["in front of the parts", "", 400],
    ["in a file", '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n', 413],
    ["in a field", '--x\r\ncontent-disposition: form-data; name="fileName"\r\n\r\n', 400],
  ])("S5 does not let a body continue forever %s", async (_, opening, status) => {
    const before = storedFiles();
    const { port } = app.server.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.on("close", resolve));
    const answered = new Promise<string>((resolve) =>
      socket.once("data", (bytes) => resolve(bytes.toString("latin1"))),
    );
    socket.on("error", () => undefined);
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${helena.token}\r\ncontent-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const chunk = (content: Buffer) =>
      Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n")]);
    if (opening) socket.write(chunk(Buffer.from(opening)));
    const piece = chunk(Buffer.alloc(1024 * 1024, "a"));
    let sent = 0;
    while (
      !socket.destroyed &&
      sent < 1024 &&
      (await new Promise((on) => socket.write(piece, (bad) => on(!bad))))
    )
      sent++;
    await closed;
    expect(await answered).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(sent).toBeLessThan(250);
    await expect.poll(storedFiles, { timeout: 3_000 }).toEqual(before);
  });

  it("reports a full disk, and when to come back", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    const put = vi.spyOn(app.services.files, "put").mockRejectedValueOnce(full);
    const answer = await upload(helena, good);
    put.mockRestore();
    expect(answer).toMatchObject({ status: 503, body: { code: "no_space" } });
    expect(answer.headers["retry-after"]).toBe("60");
    expect(answer.body.message).toMatch(/sem espaço.*nada foi gravado/);
  });

  it("stores nothing of an interrupted upload", async () => {
    const before = storedFiles();
    const { port } = app.server.server.address() as AddressInfo;
    const body = multipart([{ name: "file", fileName: "a.csv", content: Buffer.alloc(3_000_000, 0x61) }]);
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("error", () => undefined);
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${helena.token}\r\ncontent-type: ${multipartType["content-type"]}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, 1_000_000), () => socket.destroy());
    await closed;
    await expect.poll(storedFiles, { timeout: 3_000 }).toEqual(before);
  });

  it("IMP-008 IMP-022 accepts any letter case and stores the file under our own key, not under its name", async () => {
    const answer = await upload(rui, good, "C:\\Meus documentos\\Folha de março.CSV");
    expect(answer).toMatchObject({
      status: 200,
      body: { file_name: "Folha de março.CSV", state: "uploaded", batch_id: null },
    });
    expect(storedFiles()).toContain(answer.body.id);
  });

  it("uses the file's own name if no other is sent, without invisible characters", async () => {
    const bare = multipart([{ name: "file", fileName: "a\u0007b.csv", content: good }]);
    expect((await helena.post(uploadPath, bare, multipartType)).body.file_name).toBe("ab.csv");
    const typed = multipart([
      { name: "fileName", content: "zero\u0000.csv" },
      { name: "file", fileName: "b.csv", content: good },
    ]);
    expect((await helena.post(uploadPath, typed, multipartType)).body.file_name).toBe("zero.csv");
  });

  it("does not find another company's sheet", async () => {
    const { body } = await upload(helena, good);
    for (const answer of [
      await marcos.call(readSheet, { params: { id: body.id } }),
      await marcos.call(cancelSheet, { params: { id: body.id } }),
      await marcos.call(importSheet, { body: { sheet_id: body.id } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect((await helena.call(readSheet, { params: { id: body.id } })).body.state).toBe("uploaded");
  });
});

describe("model sheets", () => {
  it.each([
    ["transfer", "Modelo de transferencias", "Modelo%20de%20transfer%C3%AAncias"],
    [
      "transfer-pix",
      "Modelo de transferencias com chave Pix",
      "Modelo%20de%20transfer%C3%AAncias%20com%20chave%20Pix",
    ],
    ["billet", "Modelo de boletos", "Modelo%20de%20boletos"],
  ] as const)(
    "IMP-003 the model %s can be read by our own reader, in both forms",
    async (kind, plainName, name) => {
      for (const format of ["xlsx", "csv"] as const) {
        const answer = await app.server.inject({
          method: "GET",
          url: `/api/payments${downloadModelSheet.path.replace(":kind", kind)}?format=${format}`,
          headers: { authorization: `Bearer ${rui.token}` },
        });
        expect(answer.statusCode).toBe(200);
        expect(answer.headers["content-disposition"]).toBe(
          `attachment; filename="${plainName}.${format}"; filename*=UTF-8''${name}.${format}`,
        );
        const sheet = await openSheet(answer.rawPayload, `modelo.${format}`).catch((error: unknown) => error);
        // A CSV of only headings is readable; neither file holds a payment yet.
        if (sheet instanceof SheetRefusal) throw sheet;
        const opened = sheet as Awaited<ReturnType<typeof openSheet>>;
        expect(opened.headings.kind).toBe(kind);
        const rows =
          kind === "billet" ? gather(opened.boletos()) : gather(opened.transfers() as AsyncIterable<unknown>);
        await expect(rows).rejects.toMatchObject({ code: "sheet_without_items" });
      }
    },
  );

  it("refuses models to an analyst and models that do not exist", async () => {
    expect((await ana.call(downloadModelSheet, { params: { kind: "transfer" } })).status).toBe(403);
    expect((await helena.call(downloadModelSheet, { params: { kind: "payroll" } })).status).toBe(400);
    expect(
      (await helena.call(downloadModelSheet, { params: { kind: "transfer" }, query: { format: "pdf" } }))
        .status,
    ).toBe(400);
  });
});
