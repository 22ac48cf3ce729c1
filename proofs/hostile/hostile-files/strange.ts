import { buildWorkbook, buildZip, inlineRow, worksheet } from "@malote/sheet-reader/testing-workbook";
import {
  changed,
  contentOf,
  entities,
  files,
  goodParts,
  goodXml,
  harmless,
  headings,
  sheetPart,
} from "./make-files.ts";

export const strange = files("strange but harmless", "folha.xlsx", [
  [
    "links to the outside",
    () =>
      buildZip([
        ...goodParts,
        { name: "xl/externalLinks/externalLink1.xml", content: entities["an outside entity"] },
        {
          name: "xl/externalLinks/_rels/externalLink1.xml.rels",
          content:
            '<Relationships><Relationship Id="r" TargetMode="External" Target="http://127.0.0.1:1/"/></Relationships>',
        },
      ]),
    harmless,
  ],
  [
    "an outside workbook beside the real one",
    () =>
      changed("_rels/.rels", {
        content: contentOf("_rels/.rels").replace(
          "<Relationship ",
          '<Relationship Id="out" Type="x/officeDocument" Target="http://127.0.0.1:1/" TargetMode="External"/><Relationship ',
        ),
      }),
    harmless,
  ],
  ["true sizes in zip64", () => changed(sheetPart, { zip64: true }), harmless],
  ["a hidden tab with other payments", () => withHiddenTab(), harmless],
  ["unpaired surrogates", () => inlineWith("&#xD800;Ana Lima"), harmless],
]);

function withHiddenTab(): Buffer {
  const other = worksheet(inlineRow(1, headings) + inlineRow(2, ["Ladrão", "l@x.com", "9.999,00"]));
  return buildWorkbook({ sheets: [{ xml: other, state: "hidden" }, { xml: goodXml }] });
}
const inlineWith = (name: string) => buildWorkbook({ sheets: [{ xml: goodXml.replace("Ana Lima", name) }] });
