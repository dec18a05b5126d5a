import {
  ChevronsUpDown,
  CircleUser,
  Ellipsis,
  Keyboard,
  Languages,
  LogIn,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Search,
  Sun,
} from "lucide-react";
import { useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { IconButton } from "../ui/button";
import { Hidden, Icon } from "../ui/layout";
import { Menu } from "../ui/menu";
import { words } from "../words";
import { openCommand } from "./commands";
import { chooseLanguage, languageChoices } from "./language";
import { NewOrganizationDialog } from "./new-organization";
import { SCREENS, type ScreenEntry } from "./screens";
import { type Org, type Session, useOrg } from "./session";
import { signOut } from "./sign-out";
import { chooseTheme, THEMES, type Theme, useTheme } from "./theme";

/** Number of screens that a phone shows directly; the others are in a menu. */
const ON_PHONES = 3;
const THEME_ICONS: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

export function SideBar({ session, org }: { session: Session; org: Org }) {
  const { may } = useOrg();
  const [isAdding, setAdding] = useState(false);
  const parts = { session, org, onAdd: () => setAdding(true) };
  const screens = SCREENS.filter(({ role }) => may(role));
  return (
    <nav className="side" aria-label={words.shell.navigation}>
      <div className="side-head">
        <Organizations {...parts} />
      </div>
      <ul className="side-links">
        {screens.map((screen, place) => (
          <li key={screen.path} className={place < ON_PHONES ? undefined : "only-wide"}>
            <SideLink {...screen} />
          </li>
        ))}
        <li className="only-narrow">
          <MoreScreens screens={screens.slice(ON_PHONES)} />
        </li>
      </ul>
      <div className="row gap-1">
        <IconButton icon={Search} label={words.shell.search} onClick={() => openCommand("palette")} />
        <Account {...parts} />
      </div>
      {isAdding ? <NewOrganizationDialog onClose={() => setAdding(false)} /> : null}
    </nav>
  );
}

function SideLink({ name, path, pattern, icon }: ScreenEntry) {
  const [isCurrent] = useRoute(pattern);
  return (
    <Link href={path} className="side-link" aria-current={isCurrent ? "page" : undefined}>
      <Icon of={icon} />
      <span className="one-line">{words.screens[name]}</span>
    </Link>
  );
}

/** Menu of the screens that a phone has no space for. */
function MoreScreens({ screens }: { screens: readonly ScreenEntry[] }) {
  const [at, navigate] = useLocation();
  const isAt = ({ path }: ScreenEntry) => `${at}/`.startsWith(`${path}/`);
  return (
    <Menu
      label={words.ui.more}
      trigger={
        <button type="button" className="side-link" data-current={screens.some(isAt) || undefined}>
          <Icon of={Ellipsis} />
          <span className="one-line">{words.ui.more}</span>
        </button>
      }
      groups={[
        screens.map((screen) => ({
          label: words.screens[screen.name],
          icon: screen.icon,
          isChosen: isAt(screen),
          onSelect: () => navigate(screen.path),
        })),
      ]}
    />
  );
}

const nameOf = ({ name, branding }: Org): string => branding.displayName ?? name;

/** Organizations whose own screen leads on to their single sign-on. */
const ssoItems = ({ ssoOrganizations = [] }: Session) =>
  ssoOrganizations.map(({ name, slug }) => ({ label: name, icon: LogIn, href: `/app/o/${slug}` }));

interface MenuProps {
  session: Session;
  org: Org;
  /** Opens the dialog for a new organization. */
  onAdd(): void;
}

const additionItem = ({ onAdd }: MenuProps) => ({
  ...{ label: words.shell.newOrganization, icon: Plus, onSelect: onAdd },
});

function Organizations(props: MenuProps) {
  const { session, org } = props;
  return (
    <Menu
      label={words.shell.organizations}
      trigger={
        <button type="button" className="org-button">
          <span className="org-mark" aria-hidden>
            {[...nameOf(org)].slice(0, 1).join().toUpperCase()}
          </span>
          <span className="grow one-line" dir="auto">
            {nameOf(org)}
          </span>
          <Hidden>{words.shell.switchOrganization}</Hidden>
          <Icon of={ChevronsUpDown} />
        </button>
      }
      groups={[
        session.organizations.map((each) => ({
          label: nameOf(each),
          isChosen: each._id === org._id,
          href: `/app/o/${each.slug}`,
        })),
        ssoItems(session),
        [additionItem(props)],
      ]}
    />
  );
}

function Account(props: MenuProps) {
  const { session, org } = props;
  const theme = useTheme();
  const others = session.organizations.filter(({ _id }) => _id !== org._id);
  return (
    <>
      <Menu
        label={words.shell.account}
        trigger={<IconButton icon={CircleUser} label={words.shell.accountOf(session.user.email)} />}
        groups={[
          // For phones, which have no space for the organization menu.
          others.map((each) => ({ label: nameOf(each), href: `/app/o/${each.slug}` })),
          ssoItems(session),
          [additionItem(props)],
          THEMES.map((each) => ({
            label: words.shell.themes[each],
            icon: THEME_ICONS[each],
            isChosen: each === theme,
            onSelect: () => chooseTheme(each),
          })),
          languageChoices().map(({ language, name, isChosen }) => ({
            label: <span lang={language}>{name}</span>,
            icon: Languages,
            isChosen,
            onSelect: () => chooseLanguage(language),
          })),
          [
            { label: words.shell.keys, icon: Keyboard, onSelect: () => openCommand("keys") },
            { label: words.shell.signOut, icon: LogOut, onSelect: signOut },
          ],
        ]}
      />
      <span className="only-wide soft small one-line grow">{session.user.email}</span>
    </>
  );
}
