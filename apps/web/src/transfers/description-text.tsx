import { type PixDescriptionNode, parsePixDescription } from "@malote/domain/pix-description";
import { createElement, Fragment, type ReactNode } from "react";

/** A Pix description with its four harmless marks; the tree is drawn by React, never as HTML. */
export function DescriptionText({ written }: { written: string }) {
  const parsed = parsePixDescription(written);
  if (parsed.kind === "refused") return written;
  return createElement(Fragment, null, ...parsed.tree.map(drawn));
}

function drawn(node: PixDescriptionNode): ReactNode {
  return typeof node === "string" ? node : createElement(node.tag, null, ...node.children.map(drawn));
}
