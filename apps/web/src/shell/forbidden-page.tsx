import { Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { homePath } from "./guards.ts";
import { useSession } from "./session.ts";

export function ForbiddenPage() {
  return (
    <EmptyState
      drawing="lock"
      headingLevel="h1"
      title="Você não tem permissão para acessar esta página"
      action={
        <Link to={homePath(useSession())} className={buttonClass({ look: "primary" })}>
          Voltar à página inicial
        </Link>
      }
    >
      <p>Solicite ao administrador a alteração do seu perfil.</p>
    </EmptyState>
  );
}
