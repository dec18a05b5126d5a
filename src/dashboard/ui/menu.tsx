/**
 * A menu that opens from a button. Its implementation is loaded when the pointer or focus reaches the button, so that
 * it does not delay any screen.
 */
import type { LucideIcon } from "lucide-react";
import { type ComponentType, cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { reasonOf } from "../api/reachable";
import { NotLoadedOver } from "./part";

export interface MenuItem {
  label: ReactNode;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** Marks the current choice. */
  isChosen?: boolean;
  /** An address outside the dashboard's screens. */
  href?: string;
  /** The address is downloaded, so that an error response does not take the screen's place. */
  isDownload?: boolean;
  onSelect?(): void;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  /** Groups of items, separated by lines; empty groups are left out. */
  groups: readonly (readonly MenuItem[])[];
  label?: string;
  /** Called when the pointer or focus reaches the button, so that data for the items can be requested. */
  onNear?(): void;
}

const load = () => import("./over/menu-popup");
export function Menu(props: MenuProps) {
  const [Popup, setPopup] = useState<ComponentType<MenuProps>>();
  const [error, setError] = useState<unknown>();
  if (Popup) return <Popup {...props} />;
  const fetchEarly = () => {
    props.onNear?.();
    // An error here is ignored; pressing the button tries again and reports it.
    load().catch(() => {});
  };
  const open = () => {
    setError(undefined);
    void load().then(
      ({ MenuPopup }) => setPopup(() => MenuPopup),
      (reason: unknown) => void reasonOf(reason).then(setError),
    );
  };
  const trigger = cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: fetchEarly,
    onFocus: fetchEarly,
    onClick: open,
  });
  return (
    <>
      {trigger}
      {error === undefined ? null : <NotLoadedOver error={error} again={open} onClose={() => setError(undefined)} />}
    </>
  );
}
