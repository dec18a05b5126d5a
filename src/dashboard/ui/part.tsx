/**
 * Parts of the dashboard that are loaded on demand. A page opened before an upgrade requests parts that no server has
 * any more. The rest of the page then stays as it is, including unsaved input, and the missing part offers to reload
 * the page. While the service cannot be reached, the missing part says so, and is loaded once it can.
 */
import { X } from "lucide-react";
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from "react";
import { failureText, Unreachable } from "../api/failures";
import { reasonOf, untilReachable } from "../api/reachable";
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
        const reason = await reasonOf(error);
        renewals.add(renew);
        throw reason;
      }
    });
  let Shown = make();
  const renew = () => {
    Shown = make();
  };
  return (props) => createElement<Props>(Shown, props);
}

interface BoundaryProps {
  /** The address of what it contains; another one may well be shown. */
  at?: string;
  children: ReactNode;
  /** `again` renders the children again. */
  failed(error: unknown, again: () => void): ReactNode;
}

interface BoundaryState {
  error?: unknown;
  at?: string | undefined;
}

/** Contains an error of its children. What could not be loaded is loaded once the service can be reached again. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};
  private readonly removal = new AbortController();

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, before: BoundaryState): BoundaryState | null {
    return at === before.at ? null : { at, error: undefined };
  }

  /** The connection may have failed: opened again, the part is requested again. */
  override componentDidCatch(error: unknown) {
    for (const renew of renewals) renew();
    renewals.clear();
    if (error instanceof Unreachable) void untilReachable(this.removal.signal).then(this.again);
  }

  override componentWillUnmount() {
    this.removal.abort();
  }

  private readonly again = () => this.setState({ error: undefined });

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : this.props.failed(error, this.again);
  }
}

/** A part within the screen. */
export const Part = ({ waiting, children }: { waiting: ReactNode; children: ReactNode }) => (
  <Boundary failed={(error, again) => <NotLoaded {...{ error, again }} />}>
    <Suspense fallback={waiting}>{children}</Suspense>
  </Boundary>
);

/** A part that opens above the screen. */
export const OverPart = ({ onClose, children }: { onClose(): void; children: ReactNode }) => (
  <Boundary failed={(error, again) => <NotLoadedOver {...{ error, again, onClose }} />}>
    <Suspense>{children}</Suspense>
  </Boundary>
);

export const NotLoadedOver = (props: { error: unknown; again(): void; onClose(): void }) => (
  <div className="toasts">
    <NotLoaded {...props} />
  </div>
);

const NotLoaded = ({ error, again, onClose }: { error: unknown; again(): void; onClose?(): void }) => (
  <Notice tone="bad">
    <div className="row gap-3 wrap apart">
      <span>{failureText(error)}</span>
      <span className="row gap-2">
        <LoadAgain {...{ error, again }} small />
        {onClose ? <IconButton icon={X} label={words.ui.close} onClick={onClose} small /> : null}
      </span>
    </div>
  </Notice>
);

/** Without a connection, a page cannot be reloaded. Any other part may belong to another version of the dashboard. */
export const LoadAgain = ({ error, again, small }: { error: unknown; again(): void; small?: boolean }) =>
  error instanceof Unreachable ? (
    <Button {...(small && { small })} onClick={again}>
      {words.ui.retry}
    </Button>
  ) : (
    <Button {...(small && { small })} onClick={() => location.reload()}>
      {words.shell.reload}
    </Button>
  );
