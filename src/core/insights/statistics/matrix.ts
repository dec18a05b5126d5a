/** Inverts small symmetric, positive definite matrices by Cholesky factorization. */

/** A square matrix, as a list of rows. */
export type Matrix = Float64Array[];

export const zeros = (size: number): Matrix => Array.from({ length: size }, () => new Float64Array(size));

const PIVOT_MIN = 1e-12;

export function inverse(matrix: Matrix): Matrix {
  // Columns of the inverted factor; their scalar products make up the inverse.
  const columns = invertedFactor(factor(matrix));
  const product = zeros(matrix.length);
  for (const [row, own] of columns.entries()) {
    for (let column = 0; column <= row; column++) {
      const sum = dot(own, columns[column] ?? own, row, matrix.length);
      put(product, row, column, sum);
      put(product, column, row, sum);
    }
  }
  return product;
}

/** Returns the lower factor, as a list of rows: the matrix is its product with its own transpose. */
function factor(matrix: Matrix): Matrix {
  const lower = zeros(matrix.length);
  for (const [row, own] of lower.entries()) {
    for (let column = 0; column <= row; column++) {
      const other = lower[column] ?? own;
      const left = value(matrix, row, column) - dot(own, other, 0, column);
      own[column] = row === column ? Math.sqrt(Math.max(PIVOT_MIN, left)) : left / (other[column] ?? 1);
    }
  }
  return lower;
}

/** Inverts the factor column by column. */
function invertedFactor(lower: Matrix): Matrix {
  const columns = zeros(lower.length);
  for (const [column, own] of columns.entries()) {
    own[column] = 1 / value(lower, column, column);
    for (let row = column + 1; row < lower.length; row++) {
      const line = lower[row] ?? own;
      own[row] = -dot(line, own, column, row) / (line[row] ?? 1);
    }
  }
  return columns;
}

/** Returns the scalar product of the elements from `from` up to, excluding, `to`. */
function dot(one: Float64Array, other: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

export const value = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? 0;

function put(matrix: Matrix, row: number, column: number, given: number): void {
  const line = matrix[row];
  if (line) line[column] = given;
}
