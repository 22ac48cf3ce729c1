import { QRCodeSVG } from "qrcode.react";

/** Arrives when a code is shown, because the drawing of it is larger than the rest of the step. */
export default function QrCode({ code, title }: { code: string; title: string }) {
  return <QRCodeSVG value={code} size={176} bgColor="#ffffff" fgColor="#14201b" title={title} role="img" />;
}
