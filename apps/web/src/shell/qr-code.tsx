import { QRCodeSVG } from "qrcode.react";

interface QrCodeProps {
  value: string;
  size: number;
  title: string;
}

/**
 * Loaded when a code is shown, and kept out of `ui`, which every page loads. Always dark on white: cameras do not read
 * the inverse.
 */
export default function QrCode({ value, size, title }: QrCodeProps) {
  return (
    <QRCodeSVG
      value={value}
      size={size}
      marginSize={2}
      bgColor="#ffffff"
      fgColor="#14201b"
      title={title}
      role="img"
    />
  );
}
