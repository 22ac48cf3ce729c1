/** E-mails about users: who may sign in to the company, how, and the credentials they create. */
import type { Profile } from "@malote/contracts/policy";
import { profileNames } from "@malote/contracts/profiles";
import { type Email, noticeOfAccount, noticeToAdmins, type OwnAccount } from "./email.ts";

/** Access of a user that an admin changed. */
interface Access {
  by: string;
  name: string;
  email: string;
}

interface Link {
  /** The product's name under the company's brand. */
  product: string;
  company: string;
  by: string;
  email: string;
  days: number;
  url: string;
}

const page = "/minha-empresa/usuarios";

export const peopleEmails = {
  /**
   * Announces a new user. A user who prepares payments counts as another approver only from the next day on, so that
   * other admins can undo the change before.
   */
  userCreated: ({ by, name, email, profile }: Access & { profile: Profile }): Email => {
    const what = profileNames[profile].toLowerCase();
    return noticeToAdmins({
      subject: `Sua empresa tem um novo ${what}`,
      what: `${by} criou o acesso de ${what} de ${name} (${email}).`,
      page,
    });
  },

  adminChanged: ({ by, name, email, isAdmin }: Access & { isAdmin: boolean }): Email =>
    noticeToAdmins({
      subject: isAdmin ? "Sua empresa tem um novo administrador" : "Um administrador perdeu o acesso",
      what: `${by} mudou o acesso de ${name} (${email}).`,
      page,
    }),

  adminRemoved: ({ by, name, email }: Access): Email =>
    noticeToAdmins({
      subject: "Um administrador foi excluído",
      what: `${by} excluiu o acesso de ${name} (${email}).`,
      page,
    }),

  factorChanged: ({ by, isOn }: { by: string; isOn: boolean }): Email =>
    noticeToAdmins({
      subject: `A autenticação em 2 fatores de ${by} mudou`,
      what: `${by} ${isOn ? "ativou" : "desativou"} a autenticação em 2 fatores.`,
      page,
    }),

  ownFactorChanged: ({ isOn, ...account }: OwnAccount & { isOn: boolean }): Email =>
    noticeOfAccount(
      account,
      isOn ? "Autenticação em 2 fatores ativada" : "Autenticação em 2 fatores desativada",
      isOn
        ? "A autenticação em 2 fatores da sua conta foi ativada. Para entrar, além da senha, você passa a digitar o código do aplicativo autenticador."
        : "A autenticação em 2 fatores da sua conta foi desativada. A senha sozinha volta a bastar para entrar.",
    ),

  /** Notifies the user whose second factor was removed. */
  ownFactorReset: ({ by, ...account }: OwnAccount & { by: string }): Email =>
    noticeOfAccount(
      account,
      "Sua autenticação em 2 fatores foi desativada",
      `${by} desativou a autenticação em 2 fatores da sua conta, a seu pedido. Entre com a senha e ative-a de novo em Minha conta, Segurança.`,
    ),

  /** Notifies every admin except the actor and the concerned user, because a thief would make the same request. */
  factorReset: ({
    by,
    whose,
    ...account
  }: OwnAccount & { by: string; whose: { name: string; email: string } }): Email =>
    noticeOfAccount(
      account,
      `Autenticação em 2 fatores de ${whose.name} desativada`,
      `${by} desativou a autenticação em 2 fatores de ${whose.name} (${whose.email}). Confirme com os dois se isso era esperado.`,
    ),

  recoveryCodesMade: (account: OwnAccount): Email =>
    noticeOfAccount(
      account,
      "Novos códigos de recuperação",
      "Novos códigos de recuperação foram gerados para a sua conta. Os anteriores deixaram de valer.",
    ),

  recoveryCodeUsed: ({ left, ...account }: OwnAccount & { left: number }): Email =>
    noticeOfAccount(
      account,
      "Um código de recuperação foi usado",
      `Um dos seus códigos de recuperação foi usado no lugar do código do aplicativo autenticador. ${
        left === 0 ? "Não resta nenhum: gere outros em Minha conta, Segurança." : `Restam ${left}.`
      }`,
    ),

  passwordChanged: ({ endedCredentials, ...account }: OwnAccount & { endedCredentials: boolean }): Email =>
    noticeOfAccount(
      account,
      "Sua senha foi trocada",
      `A senha da sua conta foi trocada, e os outros dispositivos em que você tinha entrado foram desconectados.${
        endedCredentials ? " As credenciais de API que você tinha gerado deixaram de valer." : ""
      }`,
    ),

  passwordChosen: (account: OwnAccount): Email =>
    noticeOfAccount(
      account,
      "Sua senha foi criada",
      "A senha da sua conta foi criada pelo link enviado a este e-mail, e todos os dispositivos foram desconectados.",
    ),

  credentialCreated: ({ by, name, clientId }: { by: string; name: string; clientId: string }): Email =>
    noticeToAdmins({
      subject: "Sua empresa tem uma nova credencial de API",
      what: `${by} criou a credencial ${name}.`,
      facts: [{ label: "Client ID", value: clientId }],
      page: "/area-do-desenvolvedor",
    }),

  credentialRevoked: ({ by, name, clientId }: { by: string; name: string; clientId: string }): Email =>
    noticeToAdmins({
      subject: "Uma credencial de API foi revogada",
      what: `${by} revogou a credencial ${name}. O sistema que a usava deixou de ter acesso.`,
      facts: [{ label: "Client ID", value: clientId }],
      page: "/area-do-desenvolvedor",
    }),

  ownCredentialCreated: ({
    name,
    clientId,
    ...account
  }: OwnAccount & { name: string; clientId: string }): Email =>
    noticeOfAccount(
      account,
      "Nova credencial de API",
      `A credencial de API "${name}" (${clientId}) foi gerada na sua conta. Quem tiver o segredo dela pode usar a API com o seu perfil.`,
    ),

  ownCredentialRevoked: ({
    name,
    clientId,
    ...account
  }: OwnAccount & { name: string; clientId: string }): Email =>
    noticeOfAccount(
      account,
      "Credencial de API revogada",
      `A credencial de API "${name}" (${clientId}) foi revogada por você. O que a usava deixa de ter acesso.`,
    ),

  accessLink: (link: Link): Email => ({
    subject: `Seu acesso à conta da ${link.company}`,
    ...linkWords(
      link,
      `${link.by} criou um acesso para você no ${link.product}. Para entrar, crie sua senha.`,
    ),
    button: { label: "Criar senha", url: link.url },
  }),

  passwordLink: (link: Link): Email => ({
    subject: "Crie uma nova senha",
    ...linkWords(
      link,
      `${link.by} pediu um link para você criar uma nova senha no ${link.product}. Até lá, a senha atual continua valendo.`,
    ),
    button: { label: "Criar nova senha", url: link.url },
  }),

  /**
   * Notifies a user of another company who signs in by this e-mail. The inviting company learns nothing, and the
   * account does not change.
   */
  addressTaken: ({ by, product, company }: { by: string; product: string; company: string }): Email => ({
    subject: `Convite para a conta da ${company}`,
    greeting: "Olá!",
    paragraphs: [
      `${by} quis criar um acesso para você no ${product}, mas este e-mail já entra em outra conta, e um e-mail entra em uma só.`,
      "Se você esperava o convite, peça que ele seja feito com outro e-mail. Se não esperava, ignore esta mensagem: nada mudou no seu acesso.",
    ],
    facts: [{ label: "Empresa", value: company }],
  }),

  passwordForgotten: ({ email, url }: { email: string; url: string }): Email => ({
    subject: "Crie uma nova senha",
    paragraphs: [
      "Alguém, que esperamos que seja você, pediu um link para criar uma nova senha. Até lá, a senha atual continua valendo.",
      "O link vale uma única vez e por 1 hora. Não o encaminhe: quem o tiver pode trocar sua senha. A autenticação em 2 fatores, se você a usa, continua a mesma.",
      "Se não foi você, ignore este e-mail.",
    ],
    facts: [{ label: "E-mail para entrar", value: email }],
    button: { label: "Criar nova senha", url },
  }),
};

const linkWords = ({ company, email, days }: Link, opening: string) => ({
  paragraphs: [
    opening,
    `O link vale uma única vez e por ${days} dias. Não o encaminhe: quem o tiver pode entrar no seu lugar.`,
  ],
  facts: [
    { label: "Empresa", value: company },
    { label: "E-mail para entrar", value: email },
  ],
});
