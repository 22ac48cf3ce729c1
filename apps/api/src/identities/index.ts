/**
 * Functions of identities, for features: users and API credentials of companies, who they are, what they may reach, and
 * what signs them in. Sign-in itself is in `session`, the management of users in `users`, of credentials in `developer`.
 */
export {
  type ApproverRow,
  editorsThrough,
  findInviters,
  findNames,
  listActors,
  listApprovers,
  listPeople,
  madeBy,
  type Preparers,
  preparersBehind,
  readAccessSince,
  readApprover,
  readEmails,
  readPreparers,
} from "./access-store.ts";
export { sqlEmailOf, sqlHasSecondFactor, sqlJoinUser, sqlPersonBehind, sqlUserName } from "./conditions.ts";
export {
  type CredentialRow,
  countCredentials,
  hasApplication,
  insertCredential,
  listCredentials,
  lockCredential,
  lockCredentialsAbove,
  lockMaker,
  markRevoked,
} from "./credential-store.ts";
export { emailAbout } from "./email-about.ts";
export {
  adminIds,
  findPeopleWithRemoved,
  findPerson,
  type Person,
  paymentAdmins,
} from "./people-store.ts";
export { endTwoFactor, secondFactors } from "./secret-store.ts";
export {
  changePasswordHash,
  changeUserName,
  endCredentialsMadeBy,
  findCredential,
  findUserByEmail,
  findUserSecrets,
  keepSecret,
  lockUserSecrets,
  markKnownSince,
  noteCredentialUse,
  noteRefusedSignIn,
  spendStep,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from "./sign-in-store.ts";
export {
  changeAccess,
  claimEmail,
  countUsers,
  findUser,
  forgetSignInName,
  insertUser,
  isEmailOfColleague,
  listUsers,
  lockUsers,
  markUserRemoved,
  otherAdmins,
  type StoredUser,
} from "./user-store.ts";
