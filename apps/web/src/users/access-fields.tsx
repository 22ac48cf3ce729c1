import { type Application, type Profile, profiles } from "@malote/contracts/policy";
import { describeProfile, profileNames } from "@malote/contracts/profiles";
import styles from "./users.module.css";

export interface AccessValues {
  applications: readonly Application[];
  profile: Profile | null;
}
type AccessProblems = Partial<Record<keyof AccessValues, string>>;

/** COM-019: at least one application, and with it a profile. */
export function problemsOfAccess({ applications, profile }: AccessValues): AccessProblems {
  if (applications.length === 0) return { applications: "Escolha ao menos um produto" };
  return profile ? {} : { profile: "Escolha o perfil" };
}

interface AccessFieldsProps {
  values: AccessValues;
  problems: AccessProblems;
  /** Applications that can be granted, with their names. */
  offered: readonly { id: Application; name: string }[];
  /** Read-only. */
  fixed?: boolean;
  onChange: (values: AccessValues) => void;
}

/**
 * A person's applications and profile: checkboxes, then one profile described for the checked ones (COM-019, COM-020).
 */
export function AccessFields({ values, problems, offered, fixed = false, onChange }: AccessFieldsProps) {
  const { applications, profile } = values;
  return (
    <>
      <fieldset className={styles.choices} aria-describedby={problems.applications && "produtos-error"}>
        <legend>Produtos</legend>
        {offered.map(({ id, name }, at) => (
          <label key={id} className={styles.choice}>
            <input
              type="checkbox"
              disabled={fixed}
              {...(at === 0 && { id: "produtos" })}
              aria-invalid={problems.applications ? true : undefined}
              checked={applications.includes(id)}
              onChange={(event) => {
                const others = applications.filter((other) => other !== id);
                onChange({ ...values, applications: event.currentTarget.checked ? [...others, id] : others });
              }}
            />
            <span className="strong">{name}</span>
          </label>
        ))}
        <Problem id="produtos-error" text={problems.applications} />
      </fieldset>
      <fieldset className={styles.choices} aria-describedby={problems.profile && "perfil-error"}>
        <legend>Perfil</legend>
        {applications.length === 0 ? <p className="small muted">Escolha antes os produtos.</p> : null}
        {profiles.map((one, at) => (
          <label key={one} className={styles.choice}>
            <input
              type="radio"
              disabled={fixed || applications.length === 0}
              name="profile"
              {...(at === 0 && { id: "perfil" })}
              checked={profile === one}
              onChange={() => onChange({ ...values, profile: one })}
            />
            <span className={styles.words}>
              <span className="strong">{profileNames[one]}</span>
              {applications.length > 0 ? (
                <span className="small muted">{describeProfile(one, applications)}</span>
              ) : null}
            </span>
          </label>
        ))}
        <Problem id="perfil-error" text={problems.profile} />
      </fieldset>
    </>
  );
}

function Problem({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p id={id} className={`small ${styles.problem}`}>
      {text}
    </p>
  ) : null;
}
