import { QRCodeSVG } from "qrcode.react";

/** Arrives when a code is shown. Always dark on white: cameras do not read the inverse. */
export default function QrCode({ code }: { code: string }) {
  return (
    <QRCodeSVG
      value={code}
      size={208}
      marginSize={2}
      bgColor="#ffffff"
      fgColor="#14201b"
      title="QR Code do Pix"
      role="img"
    />
  );
}
