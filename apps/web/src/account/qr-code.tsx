import { QRCodeSVG } from "qrcode.react";

/** Always dark on white: cameras do not read the inverse. */
export default function QrCode({ value }: { value: string }) {
  return (
    <QRCodeSVG
      value={value}
      size={176}
      marginSize={2}
      bgColor="#ffffff"
      fgColor="#14201b"
      title="QR Code para o aplicativo autenticador"
    />
  );
}
