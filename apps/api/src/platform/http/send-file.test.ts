import { expect, it } from "vitest";
import { plainFileName } from "../files/file-name.ts";
import { contentDisposition } from "./send-file.ts";

it.each([
  ["Extrato.csv", `filename="Extrato.csv"; filename*=UTF-8''Extrato.csv`],
  [
    "Recebíveis de cartão.csv",
    `filename="Recebiveis de cartao.csv"; filename*=UTF-8''Receb%C3%ADveis%20de%20cart%C3%A3o.csv`,
  ],
  // No character of a name may end the name, the header or the path.
  [
    'a"; x="\r\nset-cookie: b',
    `filename="a; x=set-cookie: b"; filename*=UTF-8''a%22%3B%20x%3D%22%0D%0Aset-cookie%3A%20b`,
  ],
  ["../%41\\b.pdf", `filename="..41b.pdf"; filename*=UTF-8''..%2F%2541%5Cb.pdf`],
  ["it's (1)*.pdf", `filename="it's (1)*.pdf"; filename*=UTF-8''it%27s%20%281%29%2A.pdf`],
  ["名前", `filename="arquivo"; filename*=UTF-8''%E5%90%8D%E5%89%8D`],
  ["a\ud800.pdf", `filename="a.pdf"; filename*=UTF-8''a%EF%BF%BD.pdf`],
])("names %j in a header", (name, header) => {
  expect(contentDisposition(name)).toBe(`attachment; ${header}`);
  expect(contentDisposition(name, "inline")).toBe(`inline; ${header}`);
});

it.each([
  ["../../etc/passwd", "etcpasswd"],
  ['a"\r\nset-cookie: x', "aset-cookie x"],
  ["  José   da Silva.pdf", "Jose da Silvapdf"],
  ["名前", "recebedor"],
  ["x".repeat(300), "x".repeat(60)],
])("makes a file name of %j", (written, name) => {
  expect(plainFileName(written, "recebedor")).toBe(name);
});
