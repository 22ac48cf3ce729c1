import { incidentTextMax } from "@malote/domain/limits";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../shell/session.ts";
import { buttonClass } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { statusPageQuery } from "./api.ts";

/** SHL-047 to SHL-050: a maintenance takes precedence over an incident; the server reports neither in the sandbox. */
export function StatusBanner() {
  const isOn = useSession() !== undefined;
  const { data, isError } = useQuery({ ...statusPageQuery, enabled: isOn });
  // SHL-053: stale incidents are hidden.
  if (!isOn || isError || !data) return null;
  const { maintenance, incident } = data;
  if (maintenance) {
    const { name, shortlink, scheduled_for, scheduled_until } = maintenance;
    const when = `de ${formatDateTime(scheduled_for)} a ${formatDateTime(scheduled_until)}`;
    return <Banner text={`${name}, ${when}`} href={shortlink} />;
  }
  return incident ? <Banner text={cut(incident.name)} href={incident.shortlink} /> : null;
}

const cut = (name: string) =>
  name.length <= incidentTextMax ? name : `${name.slice(0, incidentTextMax)}...`;

function Banner({ text, href }: { text: string; href: string }) {
  return (
    <div className="no-print">
      <Notice
        tone="yellow"
        action={
          <a href={href} target="_blank" rel="noreferrer" className={buttonClass({ size: "sm" })}>
            Ver status
          </a>
        }
      >
        {text}
      </Notice>
    </div>
  );
}
