/** Clicks by weekday and hour: the darker a cell, the more clicks. */
import { countText } from "../format";
import { Hidden } from "../layout";
import { TableBox } from "../table";

interface WeekProps {
  label: string;
  /** Names of the weekdays, starting with Monday. */
  days: readonly string[];
  /** Counts by hour of the week, starting on Monday at midnight. */
  counts: ReadonlyMap<number, number>;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const NAMED_EVERY = 6;

export function Week({ label, days, counts }: WeekProps) {
  const most = Math.max(1, ...counts.values());
  return (
    <TableBox label={label}>
      <table className="week" aria-label={label}>
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour % NAMED_EVERY === 0 ? hour : <Hidden>{hour}</Hidden>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {HOURS.map((hour) => {
                const count = counts.get(index * HOURS.length + hour) ?? 0;
                return (
                  <td key={hour} title={`${day} ${hour}:00 · ${countText(count)}`}>
                    <span className="week-cell" style={{ opacity: count === 0 ? 0 : 0.15 + (0.85 * count) / most }} />
                    <Hidden>{countText(count)}</Hidden>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
