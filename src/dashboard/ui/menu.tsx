/** A button's menu. What draws it is fetched when the button is first pointed at, so that no screen waits for it. */
import type { LucideIcon } from "lucide-react";
import { type ComponentType, cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { NotLoadedOver } from "./part";

export interface MenuItem {
  label: ReactNode;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** Marked as the one that holds. */
  isChosen?: boolean;
  /** An address of the service outside of the screens, or elsewhere. */
  href?: string;
  onSelect?(): void;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  /** Groups, a line between them; empty ones are left out. */
  groups: readonly (readonly MenuItem[])[];
  label?: string;
  /** Somebody points at the button: what its items need can be asked for. */
  onNear?(): void;
}

const load = () => import("./over/menu-popup");
export function Menu(props: MenuProps) {
  const [Popup, setPopup] = useState<ComponentType<MenuProps>>();
  const [error, setError] = useState<unknown>();
  if (Popup) return <Popup {...props} />;
  const fetchEarly = () => {
    props.onNear?.();
    // Whether it matters shows when the button is pressed.
    load().catch(() => {});
  };
  const trigger = cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: fetchEarly,
    onFocus: fetchEarly,
    onClick: () => void load().then(({ MenuPopup }) => setPopup(() => MenuPopup), setError),
  });
  return (
    <>
      {trigger}
      {error === undefined ? null : <NotLoadedOver error={error} onClose={() => setError(undefined)} />}
    </>
  );
}
