import { ProgressBox } from "./progress-box.tsx";

interface UploadProgressProps {
  file: File;
  sent: number;
  total: number;
  onCancel: () => void;
}

export function UploadProgress({ file, sent, total, onCancel }: UploadProgressProps) {
  const part = total > 0 ? sent / total : undefined;
  // The last bytes have left, and the server is still storing the file.
  const isStoring = part !== undefined && part >= 1;
  const status = isStoring ? "Guardando o arquivo…" : `Enviando o arquivo: ${Math.floor((part ?? 0) * 100)}%`;
  return (
    <ProgressBox
      fileName={file.name}
      status={status}
      part={isStoring ? undefined : part}
      onCancel={onCancel}
    />
  );
}
