/** Refusals that any call may give. */
import type { Refusal } from "./refusal.ts";

export const ofCalls = {
  invalid_request: [400, "Confira os dados enviados: {fields}."],
  not_authenticated: [401, "Sua sessão expirou. Entre novamente para continuar."],
  wrong_credentials: [401, "E-mail ou senha incorretos. Confira e tente de novo."],
  second_factor_wrong: [
    401,
    "Código incorreto ou já usado. Abra o aplicativo autenticador e digite o código atual.",
  ],
  second_factor_expired: [401, "O tempo para digitar o código acabou. Entre novamente com e-mail e senha."],
  forbidden: [
    403,
    "Você não tem permissão para fazer isso. Solicite ao administrador a alteração do seu perfil.",
  ],
  person_only: [403, "Uma credencial de API não faz isso. Peça a uma pessoa que entre e faça na tela."],
  second_factor_required: [403, "Ative a autenticação em 2 fatores para continuar."],
  not_found: [404, "Não encontramos o que você procura. Ele pode ter sido excluído."],
  too_many_tries: [
    429,
    "Muitas tentativas seguidas. Aguarde {minutes} minutos e tente de novo.",
    { retryAfter: "minutes" },
  ],
  too_many_codes_today: [
    429,
    "Muitos códigos errados em um dia. Aguarde {hours:1 hora|# horas} e tente de novo. Se não foi você, altere sua senha.",
    { retryAfter: "minutes" },
  ],
  too_many_requests: [
    429,
    "Muitas chamadas em pouco tempo. Aguarde alguns segundos e tente de novo.",
    { retryAfter: 2 },
  ],
  too_many_lookups: [
    429,
    "Você já fez muitas consultas. Aguarde {minutes} minutos e tente de novo; os pagamentos podem ser salvos sem a consulta.",
  ],
  too_many_validations: [
    429,
    "Foram feitas muitas validações em pouco tempo. Aguarde {minutes:1 minuto|# minutos} e valide de novo.",
    { retryAfter: "minutes" },
  ],
  read_too_slow: [
    503,
    "Esta consulta demorou demais e foi interrompida. Tente de novo com um período menor ou uma busca mais precisa.",
    { retryAfter: 2 },
  ],
  payload_too_large: [413, "O conteúdo enviado é grande demais. O limite é {limit}."],
  unsupported_media_type: [415, "Este formato não é aceito aqui."],
  not_acceptable_key: [
    400,
    "Envie o cabeçalho Idempotency-Key com um identificador único de até 64 caracteres.",
  ],
  idempotency_key_reused: [
    422,
    "Esta operação já foi enviada com outros dados. Recarregue a página e tente de novo.",
  ],
  idempotency_key_of_another: [
    422,
    "Este Idempotency-Key já foi usado por outra pessoa ou credencial da sua empresa. Envie a operação com um identificador novo.",
  ],
  idempotency_in_progress: [
    409,
    "Esta operação ainda está em andamento. Aguarde um instante.",
    { retryAfter: 1 },
  ],
  unavailable: [
    503,
    "Estamos nos recuperando de uma falha. Tente de novo em alguns segundos.",
    { retryAfter: 1 },
  ],
  no_space: [
    503,
    "Estamos sem espaço para guardar dados neste momento, e nada foi gravado. Tente de novo em alguns minutos.",
    { retryAfter: 60 },
  ],
  internal: [500, "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso."],

  period_too_long: [400, "Período selecionado deve ser menor que 1 ano."],
  period_too_short: [400, "Período selecionado deve ser maior que 1 dia."],

  clock_goes_forward_only: [
    409,
    "O relógio do simulador só anda para a frente. Para voltar à hora real, use Recomeçar no simulador: isso apaga tudo e traz de novo as empresas de demonstração.",
  ],
  start_over_elsewhere: [
    403,
    "Este ambiente usa um banco de dados próprio, que o simulador não apaga. Para recomeçar, inicie o sistema com um banco de dados novo e vazio.",
  ],
} as const satisfies Record<string, Refusal>;
