/**
 * Parts of the dashboard that are loaded on demand. A page opened before an upgrade requests parts that no server has
 * any more. The rest of the page then stays as it is, including unsaved input, and the missing part offers to reload
 * the page.
 */
import { X } from "lucide-react";
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from "react";
import { failureText } from "../api/failures";
import { loadStatedWords, loadWordGroup, type WordGroup, words } from "../words";
import { Button, IconButton } from "./button";
import { Notice } from "./data";

/** For each part that could not be loaded: lets it be loaded again when it is next rendered. */
const renewals = new Set<() => void>();

/**
 * A component that is loaded when it is first rendered, together with the texts that its modules use. Their groups are
 * named here as well, so that they are requested along with the code instead of after it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...groups: WordGroup[]
): ComponentType<Props> {
  const make = () =>
    lazy(async () => {
      try {
        const [part] = await Promise.all([load(), ...groups.map(loadWordGroup)]);
        await loadStatedWords();
        return part;
      } catch (error) {
        renewals.add(renew);
        throw error;
      }
    });
  let Shown = make();
  const renew = () => {
    Shown = make();
  };
  return (props) => createElement<Props>(Shown, props);
}

interface BoundaryProps {
  children: ReactNode;
  failed(error: unknown): ReactNode;
}

/** Contains an error of its children. */
export class Boundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /** The connection may have failed: opened again, the part is requested again. */
  override componentDidCatch() {
    for (const renew of renewals) renew();
    renewals.clear();
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : this.props.failed(error);
  }
}

/** A part within the screen. */
export const Part = ({ waiting, children }: { waiting: ReactNode; children: ReactNode }) => (
  <Boundary failed={(error) => <NotLoaded error={error} />}>
    <Suspense fallback={waiting}>{children}</Suspense>
  </Boundary>
);

/** A part that opens above the screen. */
export const OverPart = ({ onClose, children }: { onClose(): void; children: ReactNode }) => (
  <Boundary failed={(error) => <NotLoadedOver error={error} onClose={onClose} />}>
    <Suspense>{children}</Suspense>
  </Boundary>
);

export const NotLoadedOver = (props: { error: unknown; onClose(): void }) => (
  <div className="toasts">
    <NotLoaded {...props} />
  </div>
);

const NotLoaded = ({ error, onClose }: { error: unknown; onClose?(): void }) => (
  <Notice tone="bad">
    <div className="row gap-3 wrap apart">
      <span>{failureText(error)}</span>
      <span className="row gap-2">
        <Button small onClick={() => location.reload()}>
          {words.shell.reload}
        </Button>
        {onClose ? <IconButton icon={X} label={words.ui.close} onClick={onClose} small /> : null}
      </span>
    </div>
  </Notice>
);
