// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

interface IPairs {
    function createPair(address tokenA, address tokenB) external returns (address pair);
}

interface IPair {
    function mint(address to) external returns (uint256 liquidity);
}

interface IPositions {
    struct MintParams {
        address token0;
        address token1;
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint256 amount0Desired;
        uint256 amount1Desired;
        uint256 amount0Min;
        uint256 amount1Min;
        address recipient;
        uint256 deadline;
    }

    function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)
        external
        returns (address pool);
    function mint(MintParams calldata params)
        external
        returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1);
}

interface IPool {
    function slot0() external view returns (uint160, int24 tick, uint16, uint16, uint16, uint8, bool);
    function tickSpacing() external view returns (int24);
    function increaseObservationCardinalityNext(uint16 observationCardinalityNext) external;
}

/// A test token, or the wrapped native coin, which has no `mint`.
interface IToken {
    function mint(address to, uint256 amount) external;
    function deposit() external payable;
    function approve(address spender, uint256 value) external returns (bool);
    function transfer(address to, uint256 value) external returns (bool);
}

/// One side of a pool's liquidity.
struct Side {
    address token;
    uint256 amount;
}

/// Creates pools with liquidity at the price that their amounts say. It mints test tokens and wraps the value of the call.
/// Amounts that a pool does not accept stay here.
contract PoolSeed {
    int24 private constant MAX_TICK = 887272;

    address private immutable wrapped;
    IPairs private immutable pairs;
    IPositions private immutable positions;

    constructor(address wrapped_, IPairs pairs_, IPositions positions_) {
        wrapped = wrapped_;
        pairs = pairs_;
        positions = positions_;
    }

    /// A pair of v2; its liquidity belongs to the caller.
    function seedPair(Side calldata a, Side calldata b) external payable {
        address pair = pairs.createPair(a.token, b.token);
        give(a, pair);
        give(b, pair);
        IPair(pair).mint(msg.sender);
    }

    /// A pool of v3; its position belongs to the caller.
    /// @param reach Ticks to both sides of the price that the liquidity covers; 0 for all.
    /// @param observations How many of its last prices the pool keeps.
    function seedPool(Side calldata a, Side calldata b, uint24 fee, int24 reach, uint16 observations)
        external
        payable
    {
        (Side calldata first, Side calldata second) = a.token < b.token ? (a, b) : (b, a);
        uint256 ratio = Math.mulDiv(second.amount, 1 << 192, first.amount);
        IPool pool = IPool(
            positions.createAndInitializePoolIfNecessary(
                first.token, second.token, fee, uint160(Math.sqrt(ratio))
            )
        );
        pool.increaseObservationCardinalityNext(observations);
        lend(first);
        lend(second);
        (int24 lower, int24 upper) = ticks(pool, reach);
        positions.mint(
            IPositions.MintParams({
                token0: first.token,
                token1: second.token,
                fee: fee,
                tickLower: lower,
                tickUpper: upper,
                amount0Desired: first.amount,
                amount1Desired: second.amount,
                amount0Min: 0,
                amount1Min: 0,
                recipient: msg.sender,
                deadline: block.timestamp
            })
        );
    }

    function ticks(IPool pool, int24 reach) private view returns (int24 lower, int24 upper) {
        int24 spacing = pool.tickSpacing();
        if (reach == 0) return ((-MAX_TICK / spacing) * spacing, (MAX_TICK / spacing) * spacing);
        (, int24 tick,,,,,) = pool.slot0();
        return (((tick - reach) / spacing) * spacing, ((tick + reach) / spacing) * spacing);
    }

    function lend(Side calldata side) private {
        give(side, address(this));
        IToken(side.token).approve(address(positions), 0);
        IToken(side.token).approve(address(positions), side.amount);
    }

    function give(Side calldata side, address to) private {
        if (side.token != wrapped) return IToken(side.token).mint(to, side.amount);
        IToken(wrapped).deposit{value: side.amount}();
        if (to != address(this)) IToken(wrapped).transfer(to, side.amount);
    }
}
