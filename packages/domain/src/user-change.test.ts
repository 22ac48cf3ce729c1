import { describe, expect, it } from "vitest";
import { refuseApplications, refuseUserChange } from "./user-change.ts";

const both = ["payments", "validation"];
const admin = { id: "helena", isAdmin: true, applications: both };
const other = { id: "rui", isAdmin: false, applications: ["payments"] };

describe("changing a user", () => {
  it("is for admins, also of what another one just took away", () => {
    expect(refuseUserChange({ ...admin, isAdmin: false }, other)).toBe("forbidden");
    expect(refuseApplications({ ...admin, isAdmin: false }, ["payments"])).toBe("forbidden");
  });

  it("COM-025 never touches one's own record", () => {
    expect(refuseUserChange(admin, admin)).toBe("user_own_record");
  });

  it("keeps to applications the admin has: neither given nor taken", () => {
    const ofPayments = { ...admin, applications: ["payments"] };
    expect(refuseUserChange(ofPayments, { ...other, applications: both })).toBe("user_beyond_yours");
    expect(refuseUserChange(ofPayments, other, both)).toBe("user_beyond_yours");
    expect(refuseApplications(ofPayments, ["validation"])).toBe("user_beyond_yours");
    expect(refuseUserChange(ofPayments, other, ["payments"])).toBeUndefined();
    expect(refuseApplications(ofPayments, ["payments"])).toBeUndefined();
  });

  it("may be of another admin", () => {
    expect(refuseUserChange(admin, { ...other, isAdmin: true }, both)).toBeUndefined();
  });
});
