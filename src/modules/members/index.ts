import type { Guard } from "@/http/access";
import { memberRoutes } from "./routes";
import type { MemberService } from "./service";

export const memberModule = ({ members }: { members: MemberService }, guard: Guard) => memberRoutes(members, guard);
