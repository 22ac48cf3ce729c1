import { type ErrorCode, type ErrorData, errorText } from "@malote/contracts/errors";
import { checkLogo, logoBytesMax, logoHeightMin, logoSideMax } from "@malote/domain/logo";
import { IconPhoto, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { useFileDrop } from "../ui/use-file-drop.ts";
import { logoQuery } from "./api.ts";
import styles from "./company.module.css";

const sentence = (code: ErrorCode, data?: ErrorData) => errorText(code, data);

/** Applies the server's own rule before anything is sent (COM-010). */
async function problemOfLogo(file: File): Promise<string | undefined> {
  // Checks the size first, because reading a file that is refused would waste memory.
  if (file.size > logoBytesMax) return sentence("logo_too_large", { limit: "1 MB" });
  const found = checkLogo(new Uint8Array(await file.arrayBuffer()));
  if ("logo" in found) return undefined;
  const pixels = found.refused === "logo_too_low" ? logoHeightMin : logoSideMax.toLocaleString("pt-BR");
  return sentence(found.refused, { pixels, limit: "1 MB" });
}

interface LogoFieldProps {
  /** Path of the saved logo. */
  path: string | null;
  /** File that the next save sends. */
  chosen: File | undefined;
  mayChoose: boolean;
  problem: string | undefined;
  onChoose: (file: File, problem: string | undefined) => void;
  /** Returns to the stored logo. */
  onUndo: () => void;
}

export function LogoField({ path, chosen, mayChoose, problem, onChoose, onUndo }: LogoFieldProps) {
  const latest = useRef<File>(undefined);
  const drop = useFileDrop((file) => void take(file));
  async function take(file: File) {
    latest.current = file;
    // The file may be gone from the disk, or the browser may not read it.
    const found = await problemOfLogo(file).catch(() => sentence("logo_upload_failed"));
    // When two files are picked in a row, the second counts, even if the first is read later.
    if (latest.current === file) onChoose(file, found);
  }
  const picture = (
    <div className={styles.picture} data-over={drop.over || undefined}>
      {chosen ? <Picture content={chosen} /> : path ? <KeptPicture path={path} /> : <NoPicture />}
    </div>
  );
  if (!mayChoose) return picture;
  return (
    <div className={styles.logo} {...drop.areaProps}>
      {picture}
      <div className={styles.choose}>
        <div className={styles.buttons}>
          <Button
            id="logo"
            icon={<IconUpload size={18} aria-hidden />}
            aria-describedby={problem ? "logo-error" : undefined}
            onClick={drop.open}
          >
            {path || chosen ? "Trocar a logo" : "Escolher a logo"}
          </Button>
          {chosen || problem ? (
            <Button
              look="quiet"
              onClick={() => {
                latest.current = undefined;
                onUndo();
              }}
            >
              Desfazer
            </Button>
          ) : null}
        </div>
        <input {...drop.inputProps} accept="image/png,image/jpeg" aria-label="Arquivo da logo" />
        {problem ? (
          <p id="logo-error" className={`small ${styles.problem}`}>
            {problem}
          </p>
        ) : (
          <p className="small muted">
            {chosen ? `${chosen.name}: salve para começar a usar.` : "Ou arraste o arquivo até aqui."}
          </p>
        )}
      </div>
    </div>
  );
}

function NoPicture() {
  return (
    <>
      <IconPhoto size={28} stroke={1.4} aria-hidden />
      <span className="small">Sem logo</span>
    </>
  );
}

function KeptPicture({ path }: { path: string }) {
  const logo = useQuery(logoQuery(path));
  if (logo.isError) return <span className="small">Não foi possível mostrar a logo</span>;
  return logo.data ? <Picture content={logo.data} /> : <Bone height={64} />;
}

function Picture({ content }: { content: Blob }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address ? <img src={address} alt="Logo da empresa" /> : null;
}
