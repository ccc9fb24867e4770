// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// Finds the path of at most three hops over pools of Uniswap v2 and v3 that gives most, within one eth_call and without
/// being deployed: its constructor returns the answer in place of code.
///
/// More into a pool never gives less out of it. So the best path through a token begins with the best way to reach that
/// token, and every path is considered although only the best way to each token is followed. The exception is a pool that
/// cannot take what the best way brings: lesser ways to it are not tried.
///
/// Pools are those of the factories, tokens are anybody's: no call can spend more than its share of gas or make us copy
/// more than five words, and what cannot be quoted counts as a pool that gives nothing.
contract RouteQuotes {
    /// In place of a fee: a pair of v2.
    uint24 constant PAIR = 0x800000;
    /// Kept for the answer when tokens burn all gas that they are given.
    uint256 constant RESERVED_GAS = 1_000_000;
    uint256 constant MIN_SQRT_PRICE = 4295128739;
    uint256 constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970342;
    uint32 constant AVERAGE_SECONDS = 600;

    struct Market {
        address quoter;
        address poolFactory;
        /// The zero address where there is no v2.
        address pairFactory;
        uint24[] fees;
        uint256 gasEach;
        /// Gas of one more hop, in the wanted token: a longer path must give so much more.
        uint256 hopCost;
    }

    /// The best way to a token: how much arrives, through which pool, from which token.
    struct Reach {
        uint256 amount;
        uint24 fee;
        uint256 from;
    }

    struct Hop {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        /// v2: reserve of tokenIn. v3: the square root of the price in Q64.96.
        uint256 state;
        /// v2: reserve of tokenOut. v3: the tick, in two's complement.
        uint256 detail;
        /// v3: whether the pool knows its average of ten minutes, and by how much its tick sum grew meanwhile.
        bool isAveraged;
        int256 tickSum;
    }

    /// @param tokens What is spent, what is wanted, then those that a path may go through.
    constructor(Market memory market, uint256 amountIn, address[] memory tokens) {
        uint256 count = tokens.length;
        Reach[] memory first = new Reach[](count);
        Reach[] memory second = new Reach[](count);
        // First what is cheap to know, so that paths of one hop remain where gas does not suffice for all.
        first[1] = across(market, tokens[0], tokens[1], amountIn);
        for (uint256 to = 2; to < count; ++to) first[to] = across(market, tokens[0], tokens[to], amountIn);
        extend(market, tokens, first, second, 1);
        for (uint256 to = 2; to < count; ++to) extend(market, tokens, first, second, to);
        Reach memory third;
        for (uint256 by = 2; by < count; ++by) keepBetter(market, tokens, second, third, by, 1);

        (uint256 best, Hop[] memory hops) = (first[1].amount, new Hop[](0));
        uint256 length = best > 0 ? 1 : 0;
        if (isWorth(market, second[1].amount, best, length, 2)) (best, length) = (second[1].amount, 2);
        if (isWorth(market, third.amount, best, length, 3)) (best, length) = (third.amount, 3);
        if (best > 0) {
            if (length == 1) {
                hops = new Hop[](1);
                hops[0] = describe(market, tokens[0], tokens[1], first[1].fee);
            } else if (length == 2) {
                uint256 by = second[1].from;
                hops = new Hop[](2);
                hops[0] = describe(market, tokens[0], tokens[by], first[by].fee);
                hops[1] = describe(market, tokens[by], tokens[1], second[1].fee);
            } else {
                uint256 last = third.from;
                uint256 by = second[last].from;
                hops = new Hop[](3);
                hops[0] = describe(market, tokens[0], tokens[by], first[by].fee);
                hops[1] = describe(market, tokens[by], tokens[last], second[last].fee);
                hops[2] = describe(market, tokens[last], tokens[1], third.fee);
            }
        }
        bytes memory encoded = abi.encode(best, hops);
        assembly {
            return(add(encoded, 32), mload(encoded))
        }
    }

    /// Whether a longer path gives more than a shorter one, if there is one, and the gas of its further hops. That is never
    /// reckoned as more than a tenth of what comes out: a wrong price would let a pool without depth win.
    function isWorth(Market memory market, uint256 amount, uint256 shorter, uint256 hops, uint256 moreHops) private pure returns (bool) {
        if (amount <= shorter) return false;
        if (hops == 0) return true;
        uint256 cost = market.hopCost * (moreHops - hops);
        return amount - shorter > (cost < amount / 10 ? cost : amount / 10);
    }

    /// The best way to a token by one hop more than there are in `reached`.
    function extend(Market memory market, address[] memory tokens, Reach[] memory reached, Reach[] memory further, uint256 to) private {
        for (uint256 by = 2; by < tokens.length; ++by) if (by != to) keepBetter(market, tokens, reached, further[to], by, to);
    }

    function keepBetter(Market memory market, address[] memory tokens, Reach[] memory reached, Reach memory best, uint256 by, uint256 to) private {
        if (reached[by].amount == 0) return;
        Reach memory found = across(market, tokens[by], tokens[to], reached[by].amount);
        if (found.amount <= best.amount) return;
        (best.amount, best.fee, best.from) = (found.amount, found.fee, by);
    }

    /// The pool between two tokens that gives most; none once gas runs short.
    function across(Market memory market, address tokenIn, address tokenOut, uint256 amount) private returns (Reach memory best) {
        if (market.pairFactory != address(0) && hasGas(market)) {
            uint256 given = quotePair(market, tokenIn, tokenOut, amount);
            if (given > 0) (best.amount, best.fee) = (given, PAIR);
        }
        for (uint256 i = 0; i < market.fees.length && hasGas(market); ++i) {
            uint256 given = quotePool(market, tokenIn, tokenOut, market.fees[i], amount);
            if (given > best.amount) (best.amount, best.fee) = (given, market.fees[i]);
        }
    }

    function hasGas(Market memory market) private view returns (bool) {
        return gasleft() > market.gasEach + RESERVED_GAS;
    }

    /// As the pair and the router's library compute it.
    function quotePair(Market memory market, address tokenIn, address tokenOut, uint256 amount) private view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut) = reserves(market, tokenIn, tokenOut);
        // A pair holds no more than 112 bits of a token.
        if (reserveIn == 0 || amount > type(uint112).max - reserveIn) return 0;
        uint256 fed = amount * 997;
        return (fed * reserveOut) / (reserveIn * 1000 + fed);
    }

    function quotePool(Market memory market, address tokenIn, address tokenOut, uint24 fee, uint256 amount) private returns (uint256) {
        address pool = poolOf(market, tokenIn, tokenOut, fee);
        if (pool == address(0)) return 0;
        (uint256 answered, uint256[5] memory words) = look(pool, market.gasEach, abi.encodeWithSignature("liquidity()"));
        // A search for prices would go through thousands of empty words.
        if (answered < 32 || words[0] == 0) return 0;
        bytes memory question = abi.encodeWithSignature(
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))", tokenIn, tokenOut, amount, fee, uint160(0)
        );
        (address quoter, uint256 gasEach) = (market.quoter, market.gasEach);
        bool isDone;
        assembly {
            isDone := call(gasEach, quoter, 0, add(question, 32), mload(question), words, 64)
            isDone := and(isDone, gt(returndatasize(), 63))
        }
        // At the end of all prices: the pool would not have taken all of the amount.
        bool isExhausted = words[1] <= MIN_SQRT_PRICE + 1 || words[1] >= MAX_SQRT_PRICE - 1;
        return isDone && !isExhausted ? words[0] : 0;
    }

    function describe(Market memory market, address tokenIn, address tokenOut, uint24 fee) private view returns (Hop memory hop) {
        (hop.tokenIn, hop.tokenOut, hop.fee) = (tokenIn, tokenOut, fee);
        if (fee == PAIR) {
            (hop.state, hop.detail) = reserves(market, tokenIn, tokenOut);
            return hop;
        }
        address pool = poolOf(market, tokenIn, tokenOut, fee);
        (uint256 answered, uint256[5] memory words) = look(pool, market.gasEach, abi.encodeWithSignature("slot0()"));
        if (answered >= 64) (hop.state, hop.detail) = (words[0], words[1]);
        uint32[] memory ago = new uint32[](2);
        ago[0] = AVERAGE_SECONDS;
        (answered, words) = look(pool, market.gasEach, abi.encodeWithSignature("observe(uint32[])", ago));
        // Two offsets, then the length and two members of the first array.
        hop.isAveraged = answered >= 160 && words[2] == 2;
        unchecked {
            if (hop.isAveraged) hop.tickSum = int256(words[4]) - int256(words[3]);
        }
    }

    function poolOf(Market memory market, address tokenIn, address tokenOut, uint24 fee) private view returns (address) {
        (uint256 answered, uint256[5] memory words) = look(
            market.poolFactory, market.gasEach, abi.encodeWithSignature("getPool(address,address,uint24)", tokenIn, tokenOut, fee)
        );
        return answered < 32 ? address(0) : address(uint160(words[0]));
    }

    function reserves(Market memory market, address tokenIn, address tokenOut) private view returns (uint256, uint256) {
        (uint256 answered, uint256[5] memory words) =
            look(market.pairFactory, market.gasEach, abi.encodeWithSignature("getPair(address,address)", tokenIn, tokenOut));
        if (answered < 32 || words[0] == 0) return (0, 0);
        (answered, words) = look(address(uint160(words[0])), market.gasEach, abi.encodeWithSignature("getReserves()"));
        if (answered < 64 || words[0] > type(uint112).max || words[1] > type(uint112).max) return (0, 0);
        return tokenIn < tokenOut ? (words[0], words[1]) : (words[1], words[0]);
    }

    /// Reads at most five words. Says how many bytes were answered; none where the call failed.
    function look(address at, uint256 gasEach, bytes memory question) private view returns (uint256 answered, uint256[5] memory words) {
        assembly {
            if staticcall(gasEach, at, add(question, 32), mload(question), words, 160) { answered := returndatasize() }
        }
    }
}
